package io.penstock.server.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Where a command prints. */
final class Output {
  private Output() {}

  /** The stream of a command, which picocli gives to it before it runs. */
  static PrintWriter of(@Nullable CommandSpec spec) {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }
}
