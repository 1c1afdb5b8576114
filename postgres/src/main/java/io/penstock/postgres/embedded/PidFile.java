package io.penstock.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What {@code postmaster.pid} says: Postgres writes it line by line while it starts, so that any
 * line but the first may still be missing.
 *
 * @param port 0 when not yet told
 * @param status {@code starting}, {@code ready}, {@code stopping}, or empty when not yet told
 */
record PidFile(long pid, int port, String status) {
  static final String NAME = "postmaster.pid";

  private static final int PORT_LINE = 3;
  private static final int STATUS_LINE = 7;

  /** Empty when there is none, or nothing in it that could be one. */
  static Optional<PidFile> read(Path data) throws IOException {
    try {
      return parse(Files.readAllLines(data.resolve(NAME)));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  static Optional<PidFile> parse(List<String> lines) {
    String pid = line(lines, 0);
    String port = line(lines, PORT_LINE);
    if (!pid.matches("\\d{1,18}") || Long.parseLong(pid) == 0) {
      return Optional.empty();
    }
    boolean portTold = port.matches("\\d{1,5}");
    return Optional.of(
        new PidFile(
            Long.parseLong(pid), portTold ? Integer.parseInt(port) : 0, line(lines, STATUS_LINE)));
  }

  boolean ready() {
    return port > 0 && status.equals("ready");
  }

  private static String line(List<String> lines, int number) {
    return number < lines.size() ? lines.get(number).strip() : "";
  }
}
