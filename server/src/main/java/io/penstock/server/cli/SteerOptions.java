package io.penstock.server.cli;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which of what is stored and goes on by itself is to be steered, and why. */
final class SteerOptions {
  @Parameters(paramLabel = "ID", description = "Its id.")
  String id = "";

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Why, for the audit.")
  String reason = "";
}
