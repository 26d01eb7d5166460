package io.braid.examples.webindex.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.examples.webindex.page.Anchors;
import java.util.List;

/**
 * Table {@code web.links}: a row for each address that has a page or is the target of links, under
 * its {@link PageId}. The links from each page have a column of their own, so that any number of
 * pages can link to one address at the same time without a conflict.
 */
public final class Links {
  public static final String TABLE = "web.links";

  /** The family of the links that lead here. */
  public static final String IN = "in";

  /** Notified weakly when links that lead here have changed, or the page's cluster has. */
  public static final Column<Bytes> CHANGED = Column.of("tally", "changed", Codecs.bytes());

  /** Their sum, kept by the observer of {@link #CHANGED}. */
  public static final Column<Tally> TALLY = Column.of("tally", "sum", Tally.CODEC);

  static final List<String> FAMILIES = List.of(IN, "tally");

  private Links() {}

  public static Row row(PageId target) {
    return new Row(TABLE, target.key());
  }

  /** The links from one page. */
  public static Column<Anchors> from(PageId source) {
    return Column.of(IN, source.key(), Anchors.CODEC);
  }
}
