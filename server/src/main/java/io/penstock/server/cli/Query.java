package io.penstock.server.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The query part of a path, of what was said on the command line. For one thread. */
final class Query {
  private final List<String> parts = new ArrayList<>();

  /** Adds a parameter, unless nothing was said. */
  Query add(String name, @Nullable Object value) {
    if (value != null) {
      parts.add(name + "=" + DeliveriesCommand.encoded(value.toString()));
    }
    return this;
  }

  /** With its question mark; empty when there is nothing to ask. */
  @Override
  public String toString() {
    return parts.isEmpty() ? "" : "?" + String.join("&", parts);
  }
}
