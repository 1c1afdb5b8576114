package io.penstock.engine.event;

/** One header as the producer wrote it: the case of the name is kept. */
public record Header(String name, String value) {}
