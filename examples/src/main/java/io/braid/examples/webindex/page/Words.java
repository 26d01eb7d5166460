package io.braid.examples.webindex.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The words of a text: runs of letters, digits and underscores in lower case, cut at {@link
 * #MAX_LENGTH} characters.
 */
public final class Words {
  public static final int MAX_LENGTH = 64;

  /** A word of the title counts as often as this in the text. */
  public static final int TITLE_WEIGHT = 8;

  private Words() {}

  /** The words of a page with their weights: how often they come, those of the title more. */
  public static SortedMap<String, Integer> weights(PageText text) {
    SortedMap<String, Integer> weights = new TreeMap<>();
    for (String word : of(text.visible())) {
      weights.merge(word, 1, Integer::sum);
    }
    for (String word : of(text.title())) {
      weights.merge(word, TITLE_WEIGHT, Integer::sum);
    }
    return Collections.unmodifiableSortedMap(weights);
  }

  /** The words of a text in its order. */
  public static List<String> of(String text) {
    String lower = PageText.lowerCase(text);
    List<String> words = new ArrayList<>();
    for (int i = 0; i < lower.length(); ) {
      int end = i;
      while (end < lower.length() && isInWord(lower.charAt(end))) {
        end++;
      }
      if (end > i) {
        words.add(lower.substring(i, Math.min(end, i + MAX_LENGTH)));
      }
      i = end + 1;
    }
    return words;
  }

  private static boolean isInWord(char c) {
    return Character.isLetterOrDigit(c) || Character.isSurrogate(c) || c == '_';
  }
}
