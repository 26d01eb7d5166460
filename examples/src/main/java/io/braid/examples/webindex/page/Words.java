package io.braid.examples.webindex.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The words of a text: runs of letters, digits and underscores in lower case, cut at {@link
 * #MAX_LENGTH} characters. Titles are also taken apart inside words, where a capital follows a
 * small letter: ArrayList is found by array and by list.
 */
public final class Words {
  public static final int MAX_LENGTH = 64;

  /** A word of the title counts as if it came so often in the text. */
  public static final int TITLE_WEIGHT = 20;

  private static final Pattern INSIDE =
      Pattern.compile("(?<=\\p{javaLowerCase})(?=\\p{javaUpperCase})");

  private Words() {}

  /** The words of a page with their weights: how often they come, those of the title more. */
  public static SortedMap<String, Integer> weights(PageText text) {
    SortedMap<String, Integer> weights = new TreeMap<>();
    for (String word : of(text.visible())) {
      weights.merge(word, 1, Integer::sum);
    }
    Set<String> title = new TreeSet<>(of(text.title()));
    title.addAll(of(INSIDE.matcher(text.title()).replaceAll(" ")));
    title.forEach(word -> weights.merge(word, TITLE_WEIGHT, Integer::sum));
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
