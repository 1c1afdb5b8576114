package io.penstock.server.http;

import io.javalin.http.Context;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.FieldFault;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.problem.ProblemException.Bound;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads request bodies within a route's bound and the server's. */
final class BodyReader {
  private static final byte[] NONE = new byte[0];
  private static final Duration COME_BACK = Duration.ofSeconds(1);

  /** Twice the largest bound of any route: who sends more than that may be cut off. */
  private static final int MOST_DRAINED_BYTES = 16 << 20;

  /** Read at once while dropping. */
  private static final int DROP_BYTES = 16 << 10;

  private final InFlight inFlight;

  BodyReader(InFlight inFlight) {
    this.inFlight = inFlight;
  }

  /** Work that needs the body while its bytes are reserved. */
  @FunctionalInterface
  interface Use {
    Answer with(byte[] body);
  }

  /** Reads the body and hands it on; its bytes count as in flight until that returns. */
  Answer read(Context context, Route route, Use use) {
    long declared = context.req().getContentLengthLong();
    boolean chunked = context.header("Transfer-Encoding") != null;
    if (declared <= 0 && !chunked) {
      return use.with(NONE);
    }
    if (route.bodyBytes() == 0) {
      // A body on a GET has no meaning; it is left unread.
      return use.with(NONE);
    }
    try {
      return reserveAndRead(context, route, declared, use);
    } catch (ProblemException refused) {
      drain(context);
      throw refused;
    }
  }

  private Answer reserveAndRead(Context context, Route route, long declared, Use use) {
    checkSize(route, declared);
    checkMediaType(context);
    long reserved = declared > 0 ? declared : route.bodyBytes();
    if (!inFlight.reserve(reserved)) {
      throw ProblemException.later(
          ErrorCode.OVERLOADED,
          "the requests in flight hold up to %,d bytes already".formatted(inFlight.mostBytes()),
          new Bound("http.in_flight_bytes", inFlight.mostBytes(), -1, "bytes"),
          COME_BACK);
    }
    try {
      return use.with(bytes(context, route));
    } finally {
      inFlight.release(reserved);
    }
  }

  private static byte[] bytes(Context context, Route route) {
    try {
      byte[] body = context.req().getInputStream().readNBytes(route.bodyBytes() + 1);
      checkSize(route, body.length);
      return body;
    } catch (IOException e) {
      throw ProblemException.of(
          ErrorCode.BAD_PARAMETER, "the body ended before its declared length, or too slowly");
    }
  }

  /**
   * Reads away what a refused caller is still sending, within a bound: a connection that is closed
   * under a writer is reset, and then the caller never sees why it was refused.
   */
  private static void drain(Context context) {
    try {
      InputStream in = context.req().getInputStream();
      byte[] dropped = new byte[DROP_BYTES];
      for (int left = MOST_DRAINED_BYTES, read = 0; left > 0 && read >= 0; left -= read) {
        read = in.read(dropped);
      }
    } catch (IOException gone) {
      // The caller hung up: nobody is left to be told.
    }
  }

  private static void checkSize(Route route, long bytes) {
    if (bytes > route.bodyBytes()) {
      throw ProblemException.bound(
          ErrorCode.BODY_TOO_LARGE,
          "the body has more than the %,d bytes that %s takes"
              .formatted(route.bodyBytes(), route.path()),
          new Bound(
              "body of " + route.path(),
              route.bodyBytes(),
              bytes > route.bodyBytes() + 1L ? bytes : -1,
              "bytes"));
    }
  }

  private static void checkMediaType(Context context) {
    String type = context.header("Content-Type");
    if (!isJson(type)) {
      throw ProblemException.of(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "wanted Content-Type: application/json, got "
              + (type == null ? "none" : FieldFault.shown(type)));
    }
    String encoding = context.header("Content-Encoding");
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw ProblemException.of(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE, "wanted no Content-Encoding: send the JSON as it is");
    }
  }

  private static boolean isJson(@Nullable String type) {
    if (type == null) {
      return false;
    }
    String[] parts = type.toLowerCase(Locale.ROOT).split(";", 2);
    boolean utf8 =
        parts.length == 1
            || !parts[1].contains("charset")
            || parts[1].replace("\"", "").strip().equals("charset=utf-8");
    return parts[0].strip().equals("application/json") && utf8;
  }
}
