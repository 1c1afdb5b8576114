package io.penstock.gameday.receiver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the receiver answered with a 2xx: one line per request, time of its first byte and its
 * webhook-id. Flushed, without fsync, whenever the receiver has nothing else to do. For one thread.
 */
public final class ReceiptLog implements AutoCloseable {
  /** Bytes gathered before a write. */
  private static final int BUFFER = 64 << 10;

  private static final int LONGEST_LINE = 512;

  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);

  ReceiptLog(Path file) throws IOException {
    this.channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
  }

  /**
   * One answered request.
   *
   * @param firstByteNanos of this machine's monotonic clock, which all its processes share
   */
  public record Receipt(long firstByteNanos, String webhookId) {}

  void add(long firstByteNanos, String webhookId) throws IOException {
    byte[] line = (firstByteNanos + " " + webhookId + "\n").getBytes(StandardCharsets.ISO_8859_1);
    if (line.length > LONGEST_LINE) {
      throw new IOException("a webhook-id of " + webhookId.length() + " characters");
    }
    if (buffer.remaining() < line.length) {
      flush();
    }
    buffer.put(line);
  }

  void flush() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    buffer.clear();
  }

  /** Reads a log, in the order of the answers. */
  public static List<Receipt> read(Path file) throws IOException {
    List<Receipt> receipts = new ArrayList<>();
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      lines.forEach(line -> {
        int blank = line.indexOf(' ');
        receipts.add(
            new Receipt(Long.parseLong(line.substring(0, blank)), line.substring(blank + 1)));
      });
    }
    return receipts;
  }

  @Override
  public void close() throws IOException {
    flush();
    channel.close();
  }
}
