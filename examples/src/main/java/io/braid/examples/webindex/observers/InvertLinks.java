package io.braid.examples.webindex.observers;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import io.braid.examples.webindex.page.Anchors;
import io.braid.examples.webindex.page.OutLinks;
import io.braid.examples.webindex.tables.Links;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** After a page's links changed: they are written where they lead to. */
public final class InvertLinks {
  private InvertLinks() {}

  public static void observe(Transaction tx, Row row) {
    Optional<OutLinks> found = tx.get(row, Pages.LINKS);
    Optional<OutLinks> inverted = tx.get(row, Pages.INVERTED);
    Column<Anchors> fromHere = Links.from(Pages.id(row));
    Map<String, Anchors> now = found.orElse(OutLinks.NONE).byTarget();
    Map<String, Anchors> before = inverted.orElse(OutLinks.NONE).byTarget();
    SortedSet<String> targets = new TreeSet<>(now.keySet());
    targets.addAll(before.keySet());
    for (String url : targets) {
      Row target = Links.row(PageId.of(url));
      Optional<Anchors> old = Optional.ofNullable(before.get(url));
      if (Changes.write(tx, target, fromHere, old, Optional.ofNullable(now.get(url)))) {
        tx.notifyWeakly(target, Links.CHANGED);
      }
    }
    Changes.write(tx, row, Pages.INVERTED, inverted, found);
  }
}
