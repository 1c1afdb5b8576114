package io.penstock.server;

import io.penstock.server.cli.PenstockCommand;

/** Starts the program {@code penstock}. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(PenstockCommand.run(args));
  }
}
