package io.braid.examples.webindex.observers;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import io.braid.examples.webindex.tables.Clusters;
import io.braid.examples.webindex.tables.Links;
import io.braid.examples.webindex.tables.PageDigest;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import java.util.Optional;

/**
 * Runs after a page's hashes changed: moves the page from one cluster to another.
 *
 * <p>Notifies both clusters and the page's tally. The tally notifies its cluster of later changes,
 * so it must learn the new cluster: a tally that ran in between has notified the old one.
 */
public final class ClusterPage {
  private ClusterPage() {}

  public static void observe(Transaction tx, Row row) {
    PageId page = Pages.id(row);
    Optional<PageDigest> digest = tx.get(row, Pages.DIGEST);
    Optional<Bytes> before = tx.get(row, Pages.CLUSTER);
    Optional<Bytes> now = digest.map(PageDigest::content);
    if (!Changes.write(tx, row, Pages.CLUSTER, before, now)) {
      return;
    }
    if (before.isPresent()) {
      Row cluster = Clusters.row(before.get());
      tx.delete(cluster, Clusters.member(page));
      tx.notifyWeakly(cluster, Clusters.CHANGED);
    }
    if (digest.isPresent()) {
      Row cluster = Clusters.row(digest.get().content());
      tx.set(cluster, Clusters.member(page), digest.get().url());
      tx.notifyWeakly(cluster, Clusters.CHANGED);
    }
    tx.notifyWeakly(Links.row(page), Links.CHANGED);
  }
}
