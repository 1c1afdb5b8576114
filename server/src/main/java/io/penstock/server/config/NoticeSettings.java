package io.penstock.server.config;

import java.net.URI;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Where operators want their notices.
 *
 * @param secret a reference to the key that signs them, never the key
 * @param window how long a notice waits, 0 to an hour
 */
public record NoticeSettings(String url, String secret, Duration window) {
  static final Duration MOST_WINDOW = Duration.ofHours(1);

  private static final Pattern REFERENCE =
      Pattern.compile("env:[A-Za-z_][A-Za-z0-9_]{0,127}|file:/[!-~]{1,400}");

  static boolean isReference(String text) {
    return REFERENCE.matcher(text).matches();
  }

  static boolean isUrl(String text) {
    try {
      URI uri = URI.create(text);
      return uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
    } catch (IllegalArgumentException notAUrl) {
      return false;
    }
  }
}
