package io.braid.examples.webindex.observers;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Transaction;
import io.braid.examples.webindex.page.Anchors;
import io.braid.examples.webindex.tables.Clusters;
import io.braid.examples.webindex.tables.Links;
import io.braid.examples.webindex.tables.Pages;
import io.braid.examples.webindex.tables.Tally;
import java.util.List;
import java.util.Optional;

/** Sums up the links to an address, after these links changed, or the page at this address. */
public final class TallyLinks {
  private TallyLinks() {}

  public static void observe(Transaction tx, Row row) {
    RowValues in = tx.getRow(row, Links.IN);
    List<Anchors> links = in.values().values().stream().map(Anchors.CODEC::decode).toList();
    Bytes cluster = tx.get(new Row(Pages.TABLE, row.key()), Pages.CLUSTER).orElse(Bytes.EMPTY);
    Tally tally = Tally.of(links, cluster);
    Optional<Tally> now = tally.equals(Tally.NONE) ? Optional.empty() : Optional.of(tally);
    if (!Changes.write(tx, row, Links.TALLY, now)) {
      tx.lock(row, Links.TALLY);
    } else if (tally.hasPage()) {
      tx.notifyWeakly(Clusters.row(cluster), Clusters.CHANGED);
    }
  }
}
