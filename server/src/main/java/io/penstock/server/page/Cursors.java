package io.penstock.server.page;

import io.penstock.postgres.read.DeliveryCursor;
import io.penstock.postgres.read.GroupCursor;
import io.penstock.server.http.Call;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Places in lists, written so that nobody is tempted to make one up: base64 of a list's letter, a
 * version and the place.
 */
public final class Cursors {
  private static final String DELIVERY = "d1:";
  private static final String ID = "i1:";
  private static final String NUMBER = "n1:";
  private static final String GROUP = "g1:";
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  private Cursors() {}

  /** The cursor of a list of deliveries, or null after the last page. */
  public static @Nullable String of(@Nullable DeliveryCursor place) {
    return place == null ? null : encode(DELIVERY + place.eventId() + ":" + place.destinationId());
  }

  /** The cursor of a list in the order of ids, or null after the last page. */
  public static @Nullable String of(@Nullable String id) {
    return id == null ? null : encode(ID + id);
  }

  /** The place in a list of deliveries that the call asks for; empty = the beginning. */
  public static Optional<DeliveryCursor> delivery(Call call) {
    return call.query("cursor").map(text -> deliveryPlace(text, place(text, DELIVERY)));
  }

  /** The place in a list in the order of ids that the call asks for; empty = the beginning. */
  public static Optional<String> id(Call call) {
    return call.query("cursor")
        .map(text -> {
          String id = place(text, ID);
          if (!Texts.ID.matcher(id).matches()) {
            throw foreign(text);
          }
          return id;
        });
  }

  /** The cursor of another list, named by a letter of its own; null after the last page. */
  public static @Nullable String ofPlace(char list, @Nullable String place) {
    return place == null ? null : encode(list + "1:" + place);
  }

  /** The place in such a list that the call asks for; empty = the beginning. */
  public static <T> Optional<T> place(Call call, char list, Function<String, T> read) {
    return call.query("cursor")
        .map(text -> {
          try {
            return read.apply(place(text, list + "1:"));
          } catch (IllegalArgumentException
              | DateTimeException
              | IndexOutOfBoundsException notAPlace) {
            throw foreign(text);
          }
        });
  }

  /** The cursor of a list in the order of numbers, or null after the last page. */
  public static @Nullable String of(@Nullable Long number) {
    return number == null ? null : encode(NUMBER + number);
  }

  /** The cursor of a list of groups, or null after the last page. */
  public static @Nullable String of(@Nullable GroupCursor place) {
    return place == null ? null : encode(GROUP + place.letters() + ":" + place.groupNo());
  }

  /** The place in a list in the order of numbers that the call asks for; empty = the beginning. */
  public static Optional<Long> number(Call call) {
    return call.query("cursor").map(text -> number(text, place(text, NUMBER)));
  }

  /** The place in a list of groups that the call asks for; empty = the beginning. */
  public static Optional<GroupCursor> group(Call call) {
    return call.query("cursor")
        .map(text -> {
          String[] parts = place(text, GROUP).split(":", 2);
          if (parts.length != 2) {
            throw foreign(text);
          }
          return new GroupCursor(number(text, parts[0]), number(text, parts[1]));
        });
  }

  /** The place of a cursor that came in a body, as {@link #of(DeliveryCursor)} made it. */
  public static DeliveryCursor delivery(String text) {
    return deliveryPlace(text, place(text, DELIVERY));
  }

  private static long number(String text, String digits) {
    if (!DIGITS.matcher(digits).matches()) {
      throw foreign(text);
    }
    return Long.parseLong(digits);
  }

  private static DeliveryCursor deliveryPlace(String text, String place) {
    String[] parts = place.split(":", 2);
    try {
      if (parts.length == 2 && Texts.ID.matcher(parts[1]).matches()) {
        return new DeliveryCursor(UUID.fromString(parts[0]), parts[1]);
      }
    } catch (IllegalArgumentException notAnId) {
      throw foreign(text);
    }
    throw foreign(text);
  }

  private static String place(String text, String prefix) {
    String decoded;
    try {
      decoded = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notBase64) {
      throw foreign(text);
    }
    if (!decoded.startsWith(prefix)) {
      throw foreign(text);
    }
    return decoded.substring(prefix.length());
  }

  private static String encode(String place) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(place.getBytes(StandardCharsets.UTF_8));
  }

  private static ProblemException foreign(String text) {
    return ProblemException.parameter("cursor", text, "next_cursor of an answer of this same list");
  }
}
