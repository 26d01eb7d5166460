package io.braid.examples.webindex.observers;

import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Transaction;
import io.braid.examples.webindex.tables.Cluster;
import io.braid.examples.webindex.tables.Clusters;
import io.braid.examples.webindex.tables.Links;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Tally;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs after a cluster's members changed, or links to one of them. Elects the canonical page, and
 * collects the links to all members, which are forwarded to it. The forwarded links are stored with
 * the cluster, so they follow when another member becomes canonical.
 */
public final class ElectCanonical {
  private ElectCanonical() {}

  public static void observe(Transaction tx, Row row) {
    RowValues members = tx.getRow(row, Clusters.MEMBER);
    Map<Row, String> urls = new LinkedHashMap<>();
    members
        .values()
        .forEach((name, url) -> urls.put(Links.row(new PageId(name.qualifier())), url.toUtf8()));
    Map<String, Tally> byUrl = new TreeMap<>();
    tx.getAll(urls.keySet(), List.of(Links.TALLY))
        .forEach(
            (member, values) ->
                byUrl.put(urls.get(member), values.get(Links.TALLY).orElse(Tally.NONE)));
    if (!Changes.write(tx, row, Clusters.ELECTED, Cluster.of(byUrl))) {
      tx.lock(row, Clusters.ELECTED);
    }
  }
}
