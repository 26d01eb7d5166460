package io.braid.examples.webindex.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.examples.webindex.page.OutLinks;
import io.braid.examples.webindex.page.PageText;
import java.util.List;

/**
 * Table {@code web.pages}: a row for each page, under its {@link PageId}. Families are stored
 * apart, so that going over all digests does not read all contents.
 */
public final class Pages {
  public static final String TABLE = "web.pages";

  /** The page as it was crawled; written by loaders only. */
  public static final Column<StoredPage> CONTENT = Column.of("content", "page", StoredPage.CODEC);

  /** Its URL; written by loaders only, together with the content. */
  public static final Column<String> URL = Column.of("state", "url", Codecs.utf8());

  /** The text that a reader sees. */
  public static final Column<PageText> TEXT = Column.of("text", "visible", PageText.CODEC);

  /** Its links. */
  public static final Column<OutLinks> LINKS = Column.of("links", "found", OutLinks.CODEC);

  /** The links that are in {@link Links} at present. */
  public static final Column<OutLinks> INVERTED = Column.of("links", "inverted", OutLinks.CODEC);

  /** Its hashes. */
  public static final Column<PageDigest> DIGEST = Column.of("state", "digest", PageDigest.CODEC);

  /** The key of the cluster that it is a member of at present. */
  public static final Column<Bytes> CLUSTER = Column.of("state", "cluster", Codecs.bytes());

  static final List<String> FAMILIES = List.of("content", "text", "links", "state");

  private Pages() {}

  public static Row row(PageId page) {
    return new Row(TABLE, page.key());
  }

  public static PageId id(Row row) {
    return new PageId(row.key());
  }
}
