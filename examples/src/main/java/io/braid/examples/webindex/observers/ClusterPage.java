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
 * After a page's hashes changed: it moves from one cluster to another.
 *
 * <p>Both clusters are told, and so is the page's tally, which tells its cluster of later changes
 * and so must learn which one that is: a tally that ran in between has told the old one.
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
