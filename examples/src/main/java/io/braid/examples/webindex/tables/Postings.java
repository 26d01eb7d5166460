package io.braid.examples.webindex.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Table {@code web.postings}: words fall into {@link #BUCKETS} buckets by their hash; the words of
 * one page in one bucket are one row, under the bucket and the {@link PageId}.
 *
 * <p>So a page has at most {@link #BUCKETS} rows, however many words, and a changed page rewrites
 * only rows whose words have changed. A word is looked up by reading its bucket, one range of rows.
 * No row belongs to two pages, however common a word is.
 */
public final class Postings {
  public static final String TABLE = "web.postings";
  public static final int BUCKETS = 32;

  /** The words and their weights. */
  public static final Column<Posting> WORDS = Column.of("words", "weights", Posting.CODEC);

  static final List<String> FAMILIES = List.of("words");

  private Postings() {}

  public static int bucket(String word) {
    return (word.hashCode() * 0x9E3779B9) >>> 27;
  }

  public static Row row(int bucket, PageId page) {
    return new Row(TABLE, Bytes.ofInts(bucket).concat(page.key()));
  }

  /** The rows of all pages with words in a bucket. */
  public static KeyRange range(int bucket) {
    return KeyRange.prefix(Bytes.ofInts(bucket));
  }

  /** Which page a row belongs to. */
  public static PageId page(Row row) {
    return new PageId(row.key().slice(1));
  }

  /** The rows of a page with these words. */
  public static SortedMap<Row, Posting> of(PageId page, Map<String, Integer> weights) {
    SortedMap<Integer, SortedMap<String, Integer>> byBucket = new TreeMap<>();
    weights.forEach(
        (word, weight) ->
            byBucket.computeIfAbsent(bucket(word), b -> new TreeMap<>()).put(word, weight));
    SortedMap<Row, Posting> rows = new TreeMap<>();
    byBucket.forEach((bucket, words) -> rows.put(row(bucket, page), new Posting(words)));
    return rows;
  }

  /** Returns all rows that a page can have. */
  public static List<Row> rows(PageId page) {
    return IntStream.range(0, BUCKETS).mapToObj(b -> row(b, page)).toList();
  }
}
