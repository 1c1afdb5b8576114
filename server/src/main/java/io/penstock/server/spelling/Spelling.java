package io.penstock.server.spelling;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known word that somebody probably meant. */
public final class Spelling {
  /** Two letters swapped are two changes. */
  private static final int TWO_SLIPS = 2;

  private Spelling() {}

  /**
   * The known word nearest to {@code word} by edit distance; empty when none is near enough to be
   * meant (more than two letters and a third of the word would change).
   */
  public static Optional<String> nearest(String word, Collection<String> known) {
    int most = Math.max(TWO_SLIPS, word.length() / 3);
    return known.stream()
        .filter(candidate -> Math.abs(candidate.length() - word.length()) <= most)
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
        .filter(candidate -> distance(word, candidate) <= most);
  }

  /**
   * The end of an error message about an unknown word: what was probably meant, or all there is.
   */
  public static String hint(String word, Collection<String> known) {
    return nearest(word, known)
        .map(near -> "did you mean %s?".formatted(near))
        .orElseGet(() -> "known are " + String.join(", ", known.stream().sorted().toList()));
  }

  /** Levenshtein's distance, one row at a time. */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int same = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(same, Math.min(above, row[j - 1]) + 1);
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
