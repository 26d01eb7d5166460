package io.braid.examples.webindex.observers;

import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import io.braid.examples.webindex.input.PageUrl;
import io.braid.examples.webindex.page.PageParser;
import io.braid.examples.webindex.page.ParsedPage;
import io.braid.examples.webindex.tables.PageDigest;
import io.braid.examples.webindex.tables.Pages;
import io.braid.examples.webindex.tables.StoredPage;
import java.util.Optional;

/** After a page came, changed or went: its hashes, its text and its links. */
public final class ParsePage {
  private ParsePage() {}

  public static void observe(Transaction tx, Row row) {
    Optional<StoredPage> stored = tx.get(row, Pages.CONTENT);
    Optional<ParsedPage> parsed = stored.map(ParsePage::parse);
    Optional<PageDigest> digest =
        stored.flatMap(s -> parsed.map(p -> PageDigest.of(s.url(), s.body(), p.text())));
    Changes.write(tx, row, Pages.DIGEST, digest);
    Changes.write(tx, row, Pages.TEXT, parsed.map(ParsedPage::text));
    Changes.write(tx, row, Pages.LINKS, parsed.map(ParsedPage::links));
  }

  /** Parses a page that was stored. */
  public static ParsedPage parse(StoredPage page) {
    PageUrl url =
        PageUrl.parse(page.url())
            .orElseThrow(() -> new IllegalArgumentException(page.url() + " is no page's URL."));
    return PageParser.parse(url, page.body(), page.charset());
  }
}
