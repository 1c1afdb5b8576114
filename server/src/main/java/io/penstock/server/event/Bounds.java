package io.penstock.server.event;

/**
 * What one call may bring. Each is a setting of {@code penstock.yaml} and is named in the answer
 * when it is hit.
 *
 * @param bodyBytes of one event's payload, 1 KiB to 16 MiB
 * @param batchItems events of one batch, 1 to 10,000
 * @param batchBytes of one batch's whole body, from {@code bodyBytes} to 64 MiB
 * @param headerBytes of one event's own headers, names and values, 0 to 64 KiB
 */
public record Bounds(int bodyBytes, int batchItems, int batchBytes, int headerBytes) {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  public static final Bounds DEFAULT = new Bounds(256 * KIB, 1_000, 8 * MIB, 16 * KIB);

  /** Bytes of a single event's envelope beside payload and headers: ids, names, braces. */
  private static final int ENVELOPE_BYTES = 64 * KIB;

  public Bounds {
    within("bounds.body_bytes", bodyBytes, KIB, 16 * MIB, "bytes");
    within("bounds.batch_items", batchItems, 1, 10_000, "events");
    within("bounds.batch_bytes", batchBytes, bodyBytes, 64 * MIB, "bytes");
    within("bounds.header_bytes", headerBytes, 0, 64 * KIB, "bytes");
  }

  /** Most bytes of a single event's request; base64 takes four bytes for three. */
  public int requestBytes() {
    return bodyBytes / 3 * 4 + headerBytes * 2 + ENVELOPE_BYTES;
  }

  private static void within(String name, long got, long least, long most, String unit) {
    if (got < least || got > most) {
      throw new IllegalArgumentException(
          "%s: wanted %,d to %,d %s, got %,d".formatted(name, least, most, unit, got));
    }
  }
}
