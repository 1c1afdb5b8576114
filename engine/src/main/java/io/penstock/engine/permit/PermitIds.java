package io.penstock.engine.permit;

import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ids of permits, opaque to whoever holds one: {@code prm_}, the shard, the time at which it
 * expires (epoch milliseconds), 80 random bits. They say where to look, and tell an expired permit
 * from one that was fed back although neither has a row any more.
 */
public final class PermitIds {
  private static final int RADIX = 36;
  private static final int RANDOM_BYTES = 10;
  private static final Pattern FORM =
      Pattern.compile("prm_([0-9a-z]{1,2})_([0-9a-z]{8,10})_[0-9a-f]{20}");

  private PermitIds() {}

  /** What an id says. */
  public record Parts(int shard, Instant expiresAt) {}

  /** A new one. */
  static String make(int shard, Instant expiresAt, RandomGenerator random) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return "prm_%s_%s_%s"
        .formatted(
            Integer.toString(shard, RADIX),
            Long.toString(expiresAt.toEpochMilli(), RADIX),
            HexFormat.of().formatHex(bytes));
  }

  /** What this id says; empty when it has not the form of one. */
  public static Optional<Parts> read(String id) {
    Matcher matcher = FORM.matcher(id);
    return matcher.matches()
        ? Optional.of(
            new Parts(
                Integer.parseInt(matcher.group(1), RADIX),
                Instant.ofEpochMilli(Long.parseLong(matcher.group(2), RADIX))))
        : Optional.empty();
  }
}
