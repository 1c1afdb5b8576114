package io.penstock.server.http;

import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names requests in answers and logs: the caller's name for it, or a new one. */
final class RequestIds {
  static final String HEADER = "X-Request-Id";
  private static final Pattern ACCEPTABLE = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

  private final RandomGenerator random;

  RequestIds(RandomGenerator random) {
    this.random = random;
  }

  String of(@Nullable String presented) {
    return presented != null && ACCEPTABLE.matcher(presented).matches()
        ? presented
        : "req_" + HexFormat.of().toHexDigits(random.nextLong());
  }
}
