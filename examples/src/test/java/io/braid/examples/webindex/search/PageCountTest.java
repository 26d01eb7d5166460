package io.braid.examples.webindex.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.data.Bytes;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.tables.PageDigest;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import io.braid.testkit.MemoryStore;
import org.junit.jupiter.api.Test;

class PageCountTest {
  @Test
  void fewPagesAreCounted() {
    assertThat(estimate(0)).isZero();
    assertThat(estimate(1)).isEqualTo(1);
    assertThat(estimate(PageCount.SAMPLE - 1)).isEqualTo(PageCount.SAMPLE - 1);
  }

  @Test
  void manyPagesAreEstimatedWithinAFewPercent() {
    for (int pages : new int[] {1_000, 3_000}) {
      assertThat((double) estimate(pages)).isCloseTo(pages, within(pages * 0.1));
    }
  }

  private static long estimate(int pages) {
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      db.ensureTable(Pages.TABLE, Pages.DIGEST.name().family());
      db.run(
          tx -> {
            for (int i = 0; i < pages; i++) {
              String url = "https://site/" + i;
              PageDigest digest = new PageDigest(url, Bytes.EMPTY, Bytes.EMPTY, 0);
              tx.set(Pages.row(PageId.of(url)), Pages.DIGEST, digest);
            }
            return pages;
          });
      try (Snapshot now = db.snapshot()) {
        return PageCount.estimate(now);
      }
    }
  }
}
