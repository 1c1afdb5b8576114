package io.penstock.gameday.load;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The bodies of posts. Immutable. */
final class Payloads {
  /** A number of 12 digits; JSON numbers have no leading zeros. */
  private static final long FIRST_NUMBER = 100_000_000_000L;

  private final Plan plan;
  private final String filler;

  Payloads(Plan plan) {
    this.plan = plan;
    this.filler =
        "x".repeat(Math.max(0, plan.payloadBytes() - "{\"n\":,\"fill\":\"\"}".length() - 12));
  }

  static String path(Plan plan) {
    return plan.batch() == 1 ? "/v1/events" : "/v1/events/batch";
  }

  /** The body of post number n. */
  byte[] body(long post) {
    ByteArrayOutputStream out =
        new ByteArrayOutputStream(plan.batch() * (plan.payloadBytes() + 200));
    long first = post * plan.batch();
    long last = Math.min(first + plan.batch(), plan.events());
    if (plan.batch() == 1) {
      event(out, first);
    } else {
      text(out, "{\"events\":[");
      for (long n = first; n < last; n++) {
        text(out, n == first ? "" : ",");
        event(out, n);
      }
      text(out, "]}");
    }
    return out.toByteArray();
  }

  private void event(ByteArrayOutputStream out, long n) {
    text(out, "{\"tenant\":\"");
    text(out, plan.tenant());
    text(out, "\",\"type\":\"load.posted\",\"destinations\":[\"");
    text(out, plan.prefix() + n % plan.destinations());
    text(out, "\"],\"payload\":{\"n\":");
    text(out, Long.toString(FIRST_NUMBER + n)); // all of one length
    text(out, ",\"fill\":\"");
    text(out, filler);
    text(out, "\"}}");
  }

  private static void text(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }
}
