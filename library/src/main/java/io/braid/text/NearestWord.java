package io.braid.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that a user may have meant by a mistyped one. */
public final class NearestWord {
  private NearestWord() {}

  /** Returns the known word that the fewest changes lead to, if they are few for its length. */
  public static Optional<String> to(String word, Collection<String> known) {
    return known.stream()
        .filter(each -> distance(word, each) <= 1 + Math.min(word.length(), each.length()) / 4)
        .min(Comparator.comparingInt(each -> distance(word, each)));
  }

  /** Returns the hint as a sentence with a blank before it, or an empty text. */
  public static String hint(String word, Collection<String> known) {
    return to(word, known).map(each -> " Did you mean '" + each + "'?").orElse("");
  }

  /** Letters to be put in, left out, exchanged or swapped with their neighbours. */
  private static int distance(String one, String other) {
    int[][] steps = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          steps[i][j] = i + j;
          continue;
        }
        int same = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        int least = Math.min(steps[i - 1][j], steps[i][j - 1]) + 1;
        least = Math.min(least, steps[i - 1][j - 1] + same);
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          least = Math.min(least, steps[i - 2][j - 2] + 1);
        }
        steps[i][j] = least;
      }
    }
    return steps[one.length()][other.length()];
  }
}
