package io.braid.examples.webindex.search;

import io.braid.core.data.Bytes;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.tables.Pages;

/**
 * Estimates the number of pages from the first few of them: page ids are hashes, spread evenly, so
 * the place of the n-th smallest shows their density. Exact for fewer than {@link #SAMPLE} pages,
 * within a few percent beyond, at the same cost for any number of pages.
 */
final class PageCount {
  static final int SAMPLE = 1000;

  private static final double ALL_KEYS = 0x1p64;

  private PageCount() {}

  static long estimate(Snapshot snapshot) {
    long seen = 0;
    Bytes last = Bytes.EMPTY;
    try (RowCursor rows = snapshot.scan(Scan.of(Pages.TABLE).column(Pages.DIGEST).limit(SAMPLE))) {
      while (rows.hasNext()) {
        last = rows.next().row().key();
        seen++;
      }
    }
    if (seen < SAMPLE) {
      return seen;
    }
    double place = (last.longAt(0) >>> 1) * 2.0 + 1;
    return Math.round((seen - 1) * (ALL_KEYS / place));
  }
}
