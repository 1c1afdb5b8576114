package io.penstock.gameday.load;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a worker held, a line when it got a job and one when it ended it, each out before the worker
 * goes on: so the log of a worker that was killed tells what it held. Written by one thread.
 */
public final class RunLog implements AutoCloseable {
  private final BufferedWriter out;

  /**
   * One run as its worker saw it, on the machine's monotonic clock.
   *
   * @param number that the payload named
   * @param end null = none was tried
   */
  public record Run(
      String tube, String job, long leaseNo, long number, long leasedNanos, @Nullable End end) {}

  /**
   * The end of a run.
   *
   * @param how complete, release or lost (a renewal said so)
   * @param status that was answered; 0 = nobody answered, or nobody was asked
   * @param code of the problem; - = none
   */
  public record End(String how, long endingNanos, long endedNanos, int status, String code) {}

  public RunLog(Path file) throws IOException {
    out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII);
  }

  void leased(Run run) {
    line("leased %s %d %d %s".formatted(key(run), run.number(), run.leasedNanos(), run.tube()));
  }

  void ended(Run run, End end) {
    line(
        "ended %s %s %d %d %d %s"
            .formatted(
                key(run),
                end.how(),
                end.endingNanos(),
                end.endedNanos(),
                end.status(),
                end.code()));
  }

  private static String key(Run run) {
    return run.job() + "/" + run.leaseNo();
  }

  private void line(String line) {
    try {
      out.write(line + "\n");
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All runs of a log, in the order in which they began. */
  public static List<Run> read(Path file) throws IOException {
    Map<String, Run> runs = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
      String[] words = line.split(" ", -1);
      String[] key = words[1].split("/", 2);
      if (words[0].equals("leased")) {
        long leaseNo = Long.parseLong(key[1]);
        long number = Long.parseLong(words[2]);
        runs.put(
            words[1], new Run(words[4], key[0], leaseNo, number, Long.parseLong(words[3]), null));
      } else {
        End end =
            new End(
                words[2],
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Integer.parseInt(words[5]),
                words[6]);
        runs.computeIfPresent(
            words[1],
            (_, run) ->
                new Run(
                    run.tube(), run.job(), run.leaseNo(), run.number(), run.leasedNanos(), end));
      }
    }
    return new ArrayList<>(runs.values());
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
