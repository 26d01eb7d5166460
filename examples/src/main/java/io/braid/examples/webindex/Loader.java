package io.braid.examples.webindex;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import io.braid.examples.webindex.input.RawPage;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import io.braid.examples.webindex.tables.StoredPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Writes crawled pages, each in a transaction of its own. Safe for many threads. */
public final class Loader {
  private final Transactions transactions;

  public Loader(Transactions transactions) {
    this.transactions = transactions;
  }

  /** The effect of loading a page. */
  public enum Loaded {
    NEW,
    CHANGED,
    /** The page was there with the same bytes; nothing was written and nothing will happen. */
    UNCHANGED
  }

  /** Writes a page unless it is in the index already. */
  public Loaded load(RawPage page) {
    String url = page.url().toString();
    StoredPage crawled = new StoredPage(url, page.charset(), page.body());
    Row row = Pages.row(crawled.id());
    return transactions.run(
        tx -> {
          Optional<StoredPage> before = tx.get(row, Pages.CONTENT);
          if (before.equals(Optional.of(crawled))) {
            return Loaded.UNCHANGED;
          }
          tx.set(row, Pages.CONTENT, crawled);
          if (before.isEmpty()) {
            tx.set(row, Pages.URL, url);
          }
          return before.isEmpty() ? Loaded.NEW : Loaded.CHANGED;
        });
  }

  /** Removes a page; false when there is none. */
  public boolean remove(String url) {
    Row row = Pages.row(PageId.of(url));
    return transactions.run(
        tx -> {
          if (tx.get(row, Pages.URL).isEmpty()) {
            return false;
          }
          tx.delete(row, Pages.CONTENT);
          tx.delete(row, Pages.URL);
          return true;
        });
  }

  /**
   * The URLs of the pages that have disappeared.
   *
   * @param roots below which the crawl holds all pages there are
   * @param crawled the URLs that it holds
   */
  public List<String> disappeared(Set<String> roots, Set<String> crawled) {
    List<String> gone = new ArrayList<>();
    try (Snapshot now = transactions.snapshot();
        RowCursor rows = now.scan(Scan.of(Pages.TABLE).column(Pages.URL))) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        String url = row.values().getOrDefault(Pages.URL.name(), Bytes.EMPTY).toUtf8();
        if (!crawled.contains(url) && roots.stream().anyMatch(url::startsWith)) {
          gone.add(url);
        }
      }
    }
    return gone;
  }
}
