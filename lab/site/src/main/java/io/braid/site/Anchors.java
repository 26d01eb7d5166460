package io.braid.site;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The anchors of one page's headings, in GitHub's form, so that a link works on both sites. An
 * anchor has lowercase letters, a hyphen for each space, no punctuation, and a number if a heading
 * repeats.
 */
final class Anchors {
  private final Map<String, Integer> seen = new HashMap<>();

  /** Returns the anchor of the next heading, without the {@code #}. */
  String next(String heading) {
    String plain =
        heading
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{Pc} -]", "")
            .replace(' ', '-');
    int before = seen.merge(plain, 1, Integer::sum) - 1;
    return before == 0 ? plain : plain + "-" + before;
  }
}
