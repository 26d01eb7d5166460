package io.braid.examples.webindex;

import io.braid.examples.webindex.Loader.Loaded;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a crawl.
 *
 * @param loaded how many pages were new, changed or unchanged
 * @param removed how many had disappeared and were removed
 * @param skipped the inputs that were skipped, a sentence each
 * @param counts of the whole index afterwards
 */
public record CrawlReport(
    Map<Loaded, Integer> loaded, int removed, int repeated, List<String> skipped, Counts counts) {
  public CrawlReport {
    Map<Loaded, Integer> all = new EnumMap<>(Loaded.class);
    for (Loaded kind : Loaded.values()) {
      all.put(kind, loaded.getOrDefault(kind, 0));
    }
    loaded = Map.copyOf(all);
    skipped = List.copyOf(skipped);
  }

  public int loaded(Loaded kind) {
    return loaded.getOrDefault(kind, 0);
  }
}
