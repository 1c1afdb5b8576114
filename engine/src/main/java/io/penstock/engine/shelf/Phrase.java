package io.penstock.engine.shelf;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The first words of an answer without what differs from one answer to the next, so that answers
 * which say the same thing are counted together. Pure; the bytes are a stranger's and may be
 * anything.
 */
public final class Phrase {
  /** Raised when the same bytes get another phrase: the groups are then counted anew. */
  public static final int VERSION = 1;

  /** Bytes that are looked at: the words that matter come first, and time is bounded. */
  public static final int MOST_BYTES = 1_024;

  static final int MOST_WORDS = 8;

  /** Characters of a phrase; the key of a group stays short. */
  public static final int MOST_CHARS = 80;

  /** No word of any language that people write messages in is longer; ids and tokens are. */
  private static final int MOST_WORD_CHARS = 24;

  /** Letters from a to f alone make words of up to seven letters ("effaced"), and ids. */
  private static final int LEAST_HEX_CHARS = 8;

  /** What stands for a number, an id, an address or a name that differs each time. */
  private static final String ANY = "#";

  private static final Pattern TAG = Pattern.compile("<[a-z/!?][^<>]*>");
  private static final Pattern BETWEEN = Pattern.compile("[\\s\"'`<>{}\\[\\](),;=|\\\\]+");
  private static final Pattern NO_LETTER = Pattern.compile("[^\\p{L}\\p{Nd}]+");
  private static final Pattern MARKS = Pattern.compile("\\p{M}+");
  private static final Pattern HEX = Pattern.compile("[a-f]+");
  private static final Pattern DIGIT = Pattern.compile("\\p{Nd}");

  private Phrase() {}

  /**
   * The phrase of an answer: at most {@value #MOST_WORDS} lower-case words of letters with one
   * blank between them, {@code #} for whatever has a digit, is an address or is too long to be a
   * word; at most {@value #MOST_CHARS} characters. Empty when there are no words.
   *
   * @param head the first bytes of the answer
   */
  public static String of(byte[] head) {
    String text =
        new String(head, 0, Math.min(head.length, MOST_BYTES), StandardCharsets.UTF_8)
            .toLowerCase(Locale.ROOT);
    String plain = MARKS.matcher(Normalizer.normalize(text, Normalizer.Form.NFKC)).replaceAll("");
    List<String> words = new ArrayList<>();
    String untagged = TAG.matcher(plain).replaceAll(" ");
    for (String chunk : BETWEEN.splitAsStream(untagged).toList()) {
      if (chunk.contains("@") || chunk.contains("://")) {
        add(words, ANY);
      } else {
        for (String word : NO_LETTER.splitAsStream(chunk).toList()) {
          add(words, shown(word));
        }
      }
    }
    return joined(words);
  }

  private static String shown(String word) {
    boolean differs =
        word.length() > MOST_WORD_CHARS
            || DIGIT.matcher(word).find()
            || (word.length() >= LEAST_HEX_CHARS && HEX.matcher(word).matches());
    return differs ? ANY : word;
  }

  private static void add(List<String> words, String word) {
    boolean repeats = word.equals(ANY) && !words.isEmpty() && words.getLast().equals(ANY);
    if (!word.isEmpty() && !repeats) {
      words.add(word);
    }
  }

  private static String joined(List<String> words) {
    StringBuilder out = new StringBuilder();
    for (String word : words.subList(0, Math.min(words.size(), MOST_WORDS))) {
      if (out.length() + 1 + word.length() > MOST_CHARS) {
        break;
      }
      out.append(out.isEmpty() ? "" : " ").append(word);
    }
    return out.toString();
  }
}
