package io.braid.examples.webindex.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import java.util.List;

/**
 * Table {@code web.clusters}: a row for each distinct content, under the SHA-256 of its bytes. Each
 * member has a column of its own, so that any number of duplicates can come and go at the same time
 * without a conflict.
 */
public final class Clusters {
  public static final String TABLE = "web.clusters";

  /** The family of the members. */
  public static final String MEMBER = "member";

  /** Notified weakly when members have come or gone, or links to one of them have changed. */
  public static final Column<Bytes> CHANGED = Column.of("elected", "changed", Codecs.bytes());

  /** The canonical page and the sums, kept by the observer of {@link #CHANGED}. */
  public static final Column<Cluster> ELECTED = Column.of("elected", "cluster", Cluster.CODEC);

  static final List<String> FAMILIES = List.of(MEMBER, "elected");

  private Clusters() {}

  /** The row of a content. */
  public static Row row(Bytes content) {
    return new Row(TABLE, content);
  }

  /** The URL of a member. */
  public static Column<String> member(PageId page) {
    return Column.of(MEMBER, page.key(), Codecs.utf8());
  }
}
