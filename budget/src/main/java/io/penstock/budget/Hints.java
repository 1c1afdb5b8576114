package io.penstock.budget;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The grammar of answers that say when to come back. Trusted in this order: {@code Retry-After};
 * {@code RateLimit} (IETF draft) with nothing remaining; {@code X-RateLimit-Remaining: 0} with its
 * reset. Real servers send more than the standards allow, so fractions, units, epoch times and
 * lists are read too, and the longest valid one counts. Garbage is as good as absent, and nothing
 * here throws. What is understood is rounded up to a millisecond and capped at one hour.
 */
public final class Hints {
  /** No answer may keep a destination away for longer; it is asked again then. */
  public static final Duration CAP = Duration.ofHours(1);

  /** More characters than any honest header has; the rest is not looked at. */
  private static final int MAX_LENGTH = 256;

  /** Bare numbers from here on are epoch seconds (September 2001); as a delay, 31 years. */
  private static final double EPOCH_SECONDS_FROM = 1e9;

  /** Bare numbers from here on are epoch milliseconds. */
  private static final double EPOCH_MILLIS_FROM = 1e12;

  private static final String IMF_FIXDATE =
      "[a-z]{3}, \\d{1,2} [a-z]{3} \\d{4} \\d\\d:\\d\\d:\\d\\d gmt";
  private static final String RFC_850 =
      "[a-z]{6,9}, \\d\\d-[a-z]{3}-\\d\\d \\d\\d:\\d\\d:\\d\\d gmt";
  private static final String ASCTIME = "[a-z]{3} [a-z]{3} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}";
  private static final Pattern ITEM =
      Pattern.compile(
          "\\s*(?:(?<imf>%s)|(?<old>%s)|(?<asc>%s)|(?<other>[^,]+))"
              .formatted(IMF_FIXDATE, RFC_850, ASCTIME),
          Pattern.CASE_INSENSITIVE);
  private static final Pattern NUMBER =
      Pattern.compile("(?<n>\\d{1,18}(\\.\\d{0,18})?|\\.\\d{1,18})\\s*(?<unit>[a-z]{0,12})");
  private static final Pattern DRAFT_FIELD =
      Pattern.compile("(?<key>[a-z]{1,20})\\s*=\\s*\"?(?<value>[0-9.]{1,20})\"?");

  private static final DateTimeFormatter IMF = date("EEE, d MMM uuuu HH:mm:ss 'GMT'");
  private static final DateTimeFormatter ASC = date("EEE MMM ppd HH:mm:ss uuuu");

  private Hints() {}

  private static DateTimeFormatter date(String pattern) {
    return new DateTimeFormatterBuilder()
        .parseCaseInsensitive()
        .appendPattern(pattern)
        .toFormatter(Locale.ENGLISH)
        .withZone(ZoneOffset.UTC);
  }

  /**
   * What one answer says. On a 2xx only an exhausted limit counts: {@code Retry-After} means
   * nothing there.
   *
   * @param status the HTTP status
   * @param header all values of the header with this lower-case name, in order; empty when absent
   * @param receivedAt when the answer came; dates are taken against the answer's own {@code Date}
   *     when it has one, so that a receiver's wrong clock does no harm
   */
  public static Hint parse(int status, Function<String, List<String>> header, Instant receivedAt) {
    Instant base = receivedAt;
    for (String value : header.apply("date")) {
      Instant own = httpDate(value.strip(), receivedAt);
      base = own == null ? base : own;
    }
    if (status < 200 || status >= 300) {
      Duration retryAfter = longest(header.apply("retry-after"), base);
      if (retryAfter != null) {
        return new Hint(retryAfter);
      }
    }
    Duration draft = draft(header, base);
    return new Hint(draft != null ? draft : vendor(header, base));
  }

  /** {@code RateLimit: "p";r=0;t=30}, its older form, or that as separate headers. */
  private static @Nullable Duration draft(Function<String, List<String>> header, Instant base) {
    Duration longest = null;
    for (String value : header.apply("ratelimit")) {
      boolean old = value.contains("reset");
      for (String policy : old ? new String[] {value} : clipped(value).split(",", -1)) {
        longest = longer(longest, policy(clipped(policy), base));
      }
    }
    if (longest == null && isZero(header.apply("ratelimit-remaining"))) {
      longest = longest(header.apply("ratelimit-reset"), base);
    }
    return longest;
  }

  private static @Nullable Duration policy(String policy, Instant base) {
    String remaining = "";
    String reset = "";
    Matcher field = DRAFT_FIELD.matcher(policy.toLowerCase(Locale.ROOT));
    while (field.find()) {
      switch (field.group("key")) {
        case "r", "remaining" -> remaining = field.group("value");
        case "t", "reset" -> reset = field.group("value");
        default -> {} // the quota, its window and its partition say nothing about when
      }
    }
    return remaining.equals("0") ? item(reset, base) : null;
  }

  private static @Nullable Duration vendor(Function<String, List<String>> header, Instant base) {
    for (String prefix : List.of("x-ratelimit-", "x-rate-limit-")) {
      if (isZero(header.apply(prefix + "remaining"))) {
        return longest(header.apply(prefix + "reset"), base);
      }
    }
    return null;
  }

  private static boolean isZero(List<String> values) {
    return values.stream().anyMatch(value -> value.strip().equals("0"));
  }

  private static @Nullable Duration longest(List<String> values, Instant base) {
    Duration longest = null;
    for (String value : values) {
      Matcher item = ITEM.matcher(clipped(value));
      while (item.find()) {
        longest = longer(longest, item(item.group().strip(), base));
      }
    }
    return longest;
  }

  /** One number or date; null when it is garbage, zero or past. */
  private static @Nullable Duration item(String item, Instant base) {
    Matcher number = NUMBER.matcher(item.toLowerCase(Locale.ROOT));
    if (!number.matches()) {
      Instant date = httpDate(item, base);
      return date == null ? null : bounded(Duration.between(base, date));
    }
    double n = Double.parseDouble(number.group("n"));
    if (number.group("unit").isEmpty() && n >= EPOCH_SECONDS_FROM) {
      double millis = n >= EPOCH_MILLIS_FROM ? n : n * 1_000;
      return bounded(Duration.ofMillis((long) Math.ceil(millis - base.toEpochMilli())));
    }
    double unit = millisPerUnit(number.group("unit"));
    return unit == 0 ? null : bounded(Duration.ofMillis((long) Math.ceil(n * unit)));
  }

  private static double millisPerUnit(String unit) {
    return switch (unit) {
      case "ms", "msec", "millis", "milliseconds" -> 1;
      case "", "s", "sec", "secs", "second", "seconds" -> 1_000;
      case "m", "min", "mins", "minute", "minutes" -> 60_000;
      case "h", "hr", "hrs", "hour", "hours" -> 3_600_000;
      default -> 0;
    };
  }

  private static @Nullable Duration bounded(Duration delay) {
    if (!delay.isPositive()) {
      return null;
    }
    Duration whole = Duration.ofMillis(delay.plusNanos(999_999).toMillis());
    return whole.compareTo(CAP) > 0 ? CAP : whole;
  }

  private static @Nullable Duration longer(@Nullable Duration a, @Nullable Duration b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.compareTo(b) >= 0 ? a : b;
  }

  private static String clipped(String value) {
    return value.length() > MAX_LENGTH ? value.substring(0, MAX_LENGTH) : value;
  }

  private static @Nullable Instant httpDate(String text, Instant near) {
    Matcher form = ITEM.matcher(clipped(text));
    if (!form.matches()) {
      return null;
    }
    try {
      if (form.group("imf") != null) {
        return Instant.from(IMF.parse(text));
      }
      if (form.group("asc") != null) {
        return Instant.from(ASC.parse(text));
      }
      return form.group("old") == null ? null : Instant.from(rfc850(near).parse(text));
    } catch (DateTimeException _) {
      return null; // the shape of a date, and none
    }
  }

  /** Two digits of a year: the one within 50 years of now. */
  private static DateTimeFormatter rfc850(Instant near) {
    int year = near.atZone(ZoneOffset.UTC).getYear();
    return new DateTimeFormatterBuilder()
        .parseCaseInsensitive()
        .appendPattern("EEEE, dd-MMM-")
        .appendValueReduced(ChronoField.YEAR, 2, 2, year - 50)
        .appendPattern(" HH:mm:ss 'GMT'")
        .toFormatter(Locale.ENGLISH)
        .withZone(ZoneOffset.UTC);
  }
}
