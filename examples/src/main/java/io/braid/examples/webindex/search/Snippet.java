package io.braid.examples.webindex.search;

import io.braid.examples.webindex.page.PageText;
import java.util.List;

/** The part of a text that shows why it was found. */
final class Snippet {
  static final int LENGTH = 160;

  private static final int BEFORE = 40;

  private Snippet() {}

  /**
   * Returns the text around the first place of any of the words; the beginning when there is none.
   */
  static String of(String text, List<String> words) {
    int found = first(PageText.lowerCase(text), words);
    int begin = found <= BEFORE ? 0 : afterBlank(text, found - BEFORE, found);
    int end = begin + LENGTH >= text.length() ? text.length() : beforeBlank(text, begin + LENGTH);
    return (begin > 0 ? "... " : "")
        + text.substring(begin, end)
        + (end < text.length() ? " ..." : "");
  }

  private static int first(String lower, List<String> words) {
    int first = lower.length();
    for (String word : words) {
      for (int at = lower.indexOf(word); at >= 0 && at < first; at = lower.indexOf(word, at + 1)) {
        if (isWhole(lower, at, at + word.length())) {
          first = at;
        }
      }
    }
    return first == lower.length() ? 0 : first;
  }

  private static boolean isWhole(String lower, int begin, int end) {
    return (begin == 0 || !Character.isLetterOrDigit(lower.charAt(begin - 1)))
        && (end == lower.length() || !Character.isLetterOrDigit(lower.charAt(end)));
  }

  private static int afterBlank(String text, int from, int atMost) {
    int blank = text.indexOf(' ', from);
    return blank < 0 || blank >= atMost ? atMost : blank + 1;
  }

  private static int beforeBlank(String text, int until) {
    int blank = text.lastIndexOf(' ', until);
    return blank <= until - LENGTH / 2 ? until : blank;
  }
}
