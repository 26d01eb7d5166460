package io.braid.examples.webindex.observers;

import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Transaction;
import io.braid.examples.webindex.page.Words;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import io.braid.examples.webindex.tables.Posting;
import io.braid.examples.webindex.tables.Postings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** After a page's text changed: the postings of its words. */
public final class PostWords {
  private PostWords() {}

  public static void observe(Transaction tx, Row row) {
    PageId page = Pages.id(row);
    Map<Row, Posting> now =
        tx.get(row, Pages.TEXT)
            .map(text -> Postings.of(page, Words.weights(text)))
            .orElseGet(TreeMap::new);
    Map<Row, RowValues> before = tx.getAll(Postings.rows(page), List.of(Postings.WORDS));
    before.forEach(
        (posting, values) ->
            Changes.write(
                tx,
                posting,
                Postings.WORDS,
                values.get(Postings.WORDS),
                Optional.ofNullable(now.get(posting))));
  }
}
