package io.penstock.gameday.receiver;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What came to the receiver, whatever it answered: one line per webhook. For one thread. */
public final class ArrivalLog implements AutoCloseable {
  private final BufferedWriter writer;

  ArrivalLog(Path file) throws IOException {
    this.writer = Files.newBufferedWriter(file, StandardCharsets.ISO_8859_1);
  }

  /**
   * One webhook.
   *
   * @param firstByteNanos of this machine's monotonic clock, which all its processes share
   * @param status what it was answered; 0 = nothing
   */
  public record Arrival(long firstByteNanos, int status, String path, String webhookId) {
    /** Whether it was answered with a 2xx. */
    public boolean accepted() {
      return status / 100 == 2;
    }
  }

  void add(long firstByteNanos, int status, String path, String webhookId) throws IOException {
    writer.write(firstByteNanos + " " + status + " " + path + " " + webhookId + "\n");
  }

  /** Reads the log of a receiver that has ended, in the order of arrival. */
  public static List<Arrival> read(Path file) throws IOException {
    List<Arrival> arrivals = new ArrayList<>();
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      lines.forEach(line -> {
        String[] parts = line.split(" ", 4);
        arrivals.add(
            new Arrival(Long.parseLong(parts[0]), Integer.parseInt(parts[1]), parts[2], parts[3]));
      });
    }
    return arrivals;
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
