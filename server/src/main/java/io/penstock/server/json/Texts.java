package io.penstock.server.json;

import io.penstock.engine.ledger.NewEvent;
import java.util.regex.Pattern;

/** The forms of text that the API takes; each with its words for error messages. */
public final class Texts {
  private Texts() {}

  /** Anything at all. */
  public static final Pattern ANY = Pattern.compile("(?s).*");

  /** Ids of tenants and destinations. */
  public static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  public static final String ID_WORDS =
      "1 to 64 of A-Z a-z 0-9 _ . - that begin with a letter or digit";

  /** A UUID as people write it. */
  public static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** Event types. */
  public static final Pattern TYPE = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  public static final int MAX_TYPE_CHARS = 128;

  public static final String TYPE_WORDS =
      "dotted words of A-Z a-z 0-9 _ -, at most 128 characters, for instance order.paid";

  /** Whether {@code type} is an event type. */
  public static boolean isType(String type) {
    return type.length() <= MAX_TYPE_CHARS && TYPE.matcher(type).matches();
  }

  public static final String ITEM_WORDS =
      "1 to 256 printable characters that name what it is about, for instance an address";

  /** Whether {@code item} can name what an event is about. */
  public static boolean isItem(String item) {
    return !item.isEmpty()
        && item.codePointCount(0, item.length()) <= NewEvent.MOST_ITEM_CHARS
        && isPrintable(item);
  }

  /** Whether text holds no control characters and no half of a surrogate pair. */
  public static boolean isPrintable(String text) {
    return text.codePoints()
        .noneMatch(c ->
            Character.isISOControl(c)
                || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }
}
