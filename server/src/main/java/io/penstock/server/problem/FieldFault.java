package io.penstock.server.problem;

/**
 * What is wrong with one field.
 *
 * @param field its path in the body, for instance {@code events[3].type}, or a parameter's name
 * @param got what was found, shortened
 * @param allowed what may stand there
 */
public record FieldFault(String field, String got, String allowed) {
  /** Longest piece of foreign input that an answer repeats, in characters. */
  private static final int MOST_SHOWN = 100;

  public FieldFault {
    got = shown(got);
  }

  /** Foreign text made fit to be repeated: shortened, control characters replaced. */
  public static String shown(String text) {
    String cut = text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    StringBuilder out = new StringBuilder(cut.length());
    cut.codePoints()
        .forEach(
            c -> out.appendCodePoint(Character.isISOControl(c) || isSurrogate(c) ? '\uFFFD' : c));
    return out.toString();
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
