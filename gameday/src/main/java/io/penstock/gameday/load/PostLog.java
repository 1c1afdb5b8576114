package io.penstock.gameday.load;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every event that the API accepted: a line each, with the time of its 2xx and its id. Safe for use
 * by many threads.
 */
public final class PostLog implements AutoCloseable {
  private final BufferedWriter writer;

  PostLog(Path file) throws IOException {
    this.writer = Files.newBufferedWriter(file, StandardCharsets.US_ASCII);
  }

  /**
   * One accepted event.
   *
   * @param answeredNanos of this machine's monotonic clock, which all its processes share
   */
  public record Posted(long answeredNanos, String eventId) {}

  synchronized void add(long answeredNanos, List<String> eventIds) throws IOException {
    for (String id : eventIds) {
      writer.write(answeredNanos + " " + id + "\n");
    }
  }

  /** Reads a log. */
  public static List<Posted> read(Path file) throws IOException {
    List<Posted> posted = new ArrayList<>();
    try (Stream<String> lines = Files.lines(file, StandardCharsets.US_ASCII)) {
      lines.forEach(line -> {
        int blank = line.indexOf(' ');
        posted.add(new Posted(Long.parseLong(line.substring(0, blank)), line.substring(blank + 1)));
      });
    }
    return posted;
  }

  @Override
  public synchronized void close() throws IOException {
    writer.close();
  }
}
