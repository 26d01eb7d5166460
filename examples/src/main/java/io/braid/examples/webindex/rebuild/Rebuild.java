package io.braid.examples.webindex.rebuild;

import io.braid.core.data.Bytes;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.observers.ParsePage;
import io.braid.examples.webindex.page.Anchors;
import io.braid.examples.webindex.page.ParsedPage;
import io.braid.examples.webindex.page.Words;
import io.braid.examples.webindex.tables.Cluster;
import io.braid.examples.webindex.tables.Clusters;
import io.braid.examples.webindex.tables.Links;
import io.braid.examples.webindex.tables.PageDigest;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import io.braid.examples.webindex.tables.Postings;
import io.braid.examples.webindex.tables.StoredPage;
import io.braid.examples.webindex.tables.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Derives the whole index from all pages of a snapshot, in memory, on all cores: reads and parses
 * every page, inverts all links, clusters all contents, elects every canonical page. It writes
 * nothing, so it takes less time than a batch job that leaves an index behind.
 */
public final class Rebuild {
  private static final int CHUNK = 256;

  private final Derived derived = new Derived();
  private final SortedMap<PageId, List<Anchors>> linksTo = new TreeMap<>();
  private final SortedMap<PageId, PageDigest> digests = new TreeMap<>();

  private Rebuild() {}

  /** Derives the index that the pages of this snapshot should have. */
  public static Derived of(Snapshot snapshot) {
    Rebuild rebuild = new Rebuild();
    rebuild.readPages(snapshot);
    rebuild.elect(rebuild.tally());
    return rebuild.derived;
  }

  private void readPages(Snapshot snapshot) {
    List<StoredPage> chunk = new ArrayList<>(CHUNK);
    try (RowCursor rows = snapshot.scan(Scan.of(Pages.TABLE).column(Pages.CONTENT))) {
      while (rows.hasNext()) {
        rows.next().get(Pages.CONTENT).ifPresent(chunk::add);
        if (chunk.size() == CHUNK || !rows.hasNext()) {
          chunk.parallelStream().map(Parsed::of).toList().forEach(this::add);
          chunk.clear();
        }
      }
    }
  }

  /** The results that can be computed for each page alone, on any core. */
  private record Parsed(
      StoredPage stored, ParsedPage page, PageDigest digest, Map<String, Integer> words) {
    static Parsed of(StoredPage stored) {
      ParsedPage page = ParsePage.parse(stored);
      return new Parsed(
          stored,
          page,
          PageDigest.of(stored.url(), stored.body(), page.text()),
          Words.weights(page.text()));
    }
  }

  private void add(Parsed parsed) {
    PageId id = parsed.stored.id();
    derived.put(Pages.row(id), Pages.URL, parsed.stored.url());
    derived.put(Pages.row(id), Pages.TEXT, parsed.page.text());
    derived.put(Pages.row(id), Pages.LINKS, parsed.page.links());
    derived.put(Pages.row(id), Pages.INVERTED, parsed.page.links());
    derived.put(Pages.row(id), Pages.DIGEST, parsed.digest);
    derived.put(Pages.row(id), Pages.CLUSTER, parsed.digest.content());
    derived.put(Clusters.row(parsed.digest.content()), Clusters.member(id), parsed.digest.url());
    digests.put(id, parsed.digest);
    Postings.of(id, parsed.words).forEach((row, words) -> derived.put(row, Postings.WORDS, words));
    parsed
        .page
        .links()
        .byTarget()
        .forEach(
            (url, anchors) -> {
              PageId target = PageId.of(url);
              derived.put(Links.row(target), Links.from(id), anchors);
              linksTo.computeIfAbsent(target, t -> new ArrayList<>()).add(anchors);
            });
  }

  private Map<PageId, Tally> tally() {
    SortedSet<PageId> addresses = new TreeSet<>(linksTo.keySet());
    addresses.addAll(digests.keySet());
    Map<PageId, Tally> tallies = new TreeMap<>();
    for (PageId address : addresses) {
      PageDigest digest = digests.get(address);
      Tally tally =
          Tally.of(
              linksTo.getOrDefault(address, List.of()),
              digest == null ? Bytes.EMPTY : digest.content());
      tallies.put(address, tally);
      derived.put(Links.row(address), Links.TALLY, tally);
    }
    return tallies;
  }

  private void elect(Map<PageId, Tally> tallies) {
    SortedMap<Bytes, SortedMap<String, Tally>> members = new TreeMap<>();
    digests.forEach(
        (page, digest) ->
            members
                .computeIfAbsent(digest.content(), c -> new TreeMap<>())
                .put(digest.url(), tallies.getOrDefault(page, Tally.NONE)));
    members.forEach(
        (content, byUrl) ->
            Cluster.of(byUrl)
                .ifPresent(
                    cluster -> derived.put(Clusters.row(content), Clusters.ELECTED, cluster)));
  }
}
