package io.penstock.server.http;

/** Answers calls of one route; may block. Throws ProblemException to refuse. */
@FunctionalInterface
public interface Handler {
  Answer handle(Call call);
}
