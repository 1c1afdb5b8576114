package io.penstock.server.http;

import io.penstock.server.problem.ErrorCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Hears of every answer. Called on the request's thread: must not block. */
@FunctionalInterface
public interface RequestListener {
  /**
   * A request was answered.
   *
   * @param path the route's path as it is declared, never the request's
   * @param refused why it was refused; null = it was not
   */
  void answered(String method, String path, int status, @Nullable ErrorCode refused, Duration took);
}
