package io.braid.examples.webindex;

import io.braid.core.data.Bytes;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.tables.Links;
import io.braid.examples.webindex.tables.PageDigest;
import io.braid.examples.webindex.tables.Pages;
import io.braid.examples.webindex.tables.Tally;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * How much is in the index.
 *
 * @param pages that have been parsed
 * @param distinctExact different contents, byte for byte: as many as there are clusters
 * @param distinctText different normalised texts
 * @param links {@code a} elements that lead to a page of the index, repeated ones and those of a
 *     page to itself included
 */
public record Counts(long pages, long distinctExact, long distinctText, long links) {

  /** Counts in a snapshot, by scanning two small columns. */
  public static Counts of(Snapshot snapshot) {
    Set<Bytes> contents = new HashSet<>();
    Set<Bytes> texts = new HashSet<>();
    long pages = 0;
    try (RowCursor rows = snapshot.scan(Scan.of(Pages.TABLE).column(Pages.DIGEST))) {
      while (rows.hasNext()) {
        Optional<PageDigest> digest = rows.next().get(Pages.DIGEST);
        digest.ifPresent(d -> contents.add(d.content()));
        digest.ifPresent(d -> texts.add(d.text()));
        pages++;
      }
    }
    return new Counts(pages, contents.size(), texts.size(), links(snapshot));
  }

  private static long links(Snapshot snapshot) {
    try (RowCursor rows = snapshot.scan(Scan.of(Links.TABLE).column(Links.TALLY))) {
      return rows.stream()
          .flatMap(row -> row.get(Links.TALLY).stream())
          .filter(Tally::hasPage)
          .mapToLong(Tally::count)
          .sum();
    }
  }
}
