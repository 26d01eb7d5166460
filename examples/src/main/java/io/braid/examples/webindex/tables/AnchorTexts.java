package io.braid.examples.webindex.tables;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;

/**
 * The texts of links to a page, each with the number of pages that use it: the {@link #MAX} most
 * frequent texts, those of equal number in the order of the text.
 */
public record AnchorTexts(Map<String, Integer> pagesByText) {
  public static final int MAX = 5;
  private static final Comparator<Entry<String, Integer>> ORDER =
      Entry.<String, Integer>comparingByValue().reversed().thenComparing(Entry.comparingByKey());

  /** No texts. */
  public static final AnchorTexts NONE = new AnchorTexts(Map.of());

  public AnchorTexts {
    Map<String, Integer> most = new LinkedHashMap<>();
    pagesByText.entrySet().stream()
        .sorted(ORDER)
        .limit(MAX)
        .forEach(e -> most.put(e.getKey(), e.getValue()));
    pagesByText = Collections.unmodifiableMap(most);
  }

  /** The most frequent of all of these. */
  public static AnchorTexts merge(Collection<AnchorTexts> all) {
    Map<String, Integer> sums = new TreeMap<>();
    all.forEach(one -> one.pagesByText.forEach((t, n) -> sums.merge(t, n, Integer::sum)));
    return new AnchorTexts(sums);
  }

  /** The texts, the most frequent one first. */
  public List<String> texts() {
    return List.copyOf(pagesByText.keySet());
  }

  void encode(Encoder to) {
    to.varint(pagesByText.size());
    pagesByText.forEach((text, pages) -> to.text(text).varint(pages));
  }

  static AnchorTexts decode(Decoder from) {
    Map<String, Integer> texts = new TreeMap<>();
    for (int left = from.count(MAX); left > 0; left--) {
      texts.put(from.text(), from.count(Integer.MAX_VALUE));
    }
    return new AnchorTexts(texts);
  }
}
