package io.penstock.postgres.read;

/** The place of a group in a list: biggest first. Groups that grow meanwhile may show twice. */
public record GroupCursor(long letters, long groupNo) {}
