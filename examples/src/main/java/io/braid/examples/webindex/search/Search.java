package io.braid.examples.webindex.search;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.page.PageText;
import io.braid.examples.webindex.page.Words;
import io.braid.examples.webindex.tables.Cluster;
import io.braid.examples.webindex.tables.Clusters;
import io.braid.examples.webindex.tables.PageDigest;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import io.braid.examples.webindex.tables.Posting;
import io.braid.examples.webindex.tables.Postings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pages that have all words of a query, in one snapshot.
 *
 * <p>The score of a page is
 *
 * <pre>
 *   sum over the words of  (1 + ln weight) * ln(1 + pages / pages with the word)
 *   divided by             1 + ln(1 + words of the page / 10000)
 *   plus                   ln(1 + links)
 * </pre>
 *
 * where the weight is how often the word occurs in the page, more for words of the title ({@link
 * Words}). The links are those to the page and its duplicates. Of duplicates only the canonical
 * page is shown.
 */
public final class Search {
  /** Pages with all words beyond this number are not ranked: the query says too little. */
  private static final int MAX_CANDIDATES = 100_000;

  private final Snapshot snapshot;
  private final List<String> words;

  private Search(Snapshot snapshot, List<String> words) {
    this.snapshot = snapshot;
    this.words = words;
  }

  /**
   * Searches.
   *
   * @param query taken apart as pages are
   * @param limit how many hits at most
   * @return the best first; those of equal score by their URLs
   * @throws IllegalArgumentException when there is no word in the query
   */
  public static List<Hit> run(Snapshot snapshot, String query, int limit) {
    List<String> words = Words.of(query).stream().distinct().toList();
    if (words.isEmpty()) {
      throw new IllegalArgumentException(
          "There is no word in '" + query + "'; words are made of letters and digits.");
    }
    return new Search(snapshot, words).hits(limit);
  }

  private List<Hit> hits(int limit) {
    Map<PageId, Double> scores = scores();
    List<Candidate> best = canonical(scores).stream().sorted(Candidate.ORDER).limit(limit).toList();
    Map<Row, RowValues> texts =
        snapshot.getAll(best.stream().map(c -> Pages.row(c.page)).toList(), List.of(Pages.TEXT));
    return best.stream().map(c -> hit(c, text(texts, c))).toList();
  }

  /** The words' part of the score of each page that has them all. */
  private Map<PageId, Double> scores() {
    long pages = PageCount.estimate(snapshot);
    Map<PageId, Double> scores = null;
    for (String word : words) {
      Map<PageId, Integer> weights = weights(word);
      double rarity = Math.log(1 + (double) pages / Math.max(1, weights.size()));
      scores = intersect(scores, weights, rarity);
    }
    return Objects.requireNonNull(scores);
  }

  private static Map<PageId, Double> intersect(
      @Nullable Map<PageId, Double> scores, Map<PageId, Integer> weights, double rarity) {
    Map<PageId, Double> both = new TreeMap<>();
    weights.forEach(
        (page, weight) -> {
          Double before = scores == null ? Double.valueOf(0) : scores.get(page);
          if (before != null && both.size() < MAX_CANDIDATES) {
            both.put(page, before + (1 + Math.log(weight)) * rarity);
          }
        });
    return both;
  }

  private Map<PageId, Integer> weights(String word) {
    Map<PageId, Integer> weights = new LinkedHashMap<>();
    Bytes bytes = Bytes.of(word);
    Scan bucket =
        Scan.of(Postings.TABLE).range(Postings.range(Postings.bucket(word))).column(Postings.WORDS);
    try (RowCursor rows = snapshot.scan(bucket)) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        int weight = Posting.weight(value(row, Postings.WORDS), bytes);
        if (weight > 0) {
          weights.put(Postings.page(row.row()), weight);
        }
      }
    }
    return weights;
  }

  /** The pages that are canonical in their clusters, with their whole scores. */
  private List<Candidate> canonical(Map<PageId, Double> scores) {
    Map<Row, RowValues> states =
        snapshot.getAll(scores.keySet().stream().map(Pages::row).toList(), List.of(Pages.DIGEST));
    Map<PageId, PageDigest> digests = new LinkedHashMap<>();
    states.forEach(
        (row, values) ->
            values.get(Pages.DIGEST).ifPresent(digest -> digests.put(Pages.id(row), digest)));
    Map<Row, RowValues> clusters =
        snapshot.getAll(
            digests.values().stream().map(d -> Clusters.row(d.content())).distinct().toList(),
            List.of(Clusters.ELECTED));
    List<Candidate> canonical = new ArrayList<>();
    digests.forEach(
        (page, digest) ->
            Optional.ofNullable(clusters.get(Clusters.row(digest.content())))
                .flatMap(values -> values.get(Clusters.ELECTED))
                .filter(cluster -> cluster.canonical().equals(digest.url()))
                .ifPresent(
                    cluster ->
                        canonical.add(
                            Candidate.of(digest, cluster, scores.getOrDefault(page, 0.0)))));
    return canonical;
  }

  private Hit hit(Candidate candidate, PageText text) {
    Cluster cluster = candidate.cluster;
    return new Hit(
        cluster.canonical(),
        text.title(),
        Snippet.of(text.visible(), words),
        cluster.texts().texts(),
        cluster.links(),
        cluster.size() - 1,
        candidate.score);
  }

  private static PageText text(Map<Row, RowValues> texts, Candidate candidate) {
    return Optional.ofNullable(texts.get(Pages.row(candidate.page)))
        .flatMap(values -> values.get(Pages.TEXT))
        .orElse(new PageText("", ""));
  }

  private static Bytes value(RowValues row, Column<?> column) {
    return row.values().getOrDefault(column.name(), Bytes.EMPTY);
  }

  private record Candidate(PageId page, Cluster cluster, double score) {
    static final Comparator<Candidate> ORDER =
        Comparator.comparingDouble(Candidate::score)
            .reversed()
            .thenComparing(candidate -> candidate.cluster.canonical());

    static Candidate of(PageDigest page, Cluster cluster, double words) {
      double length = 1 + Math.log(1 + page.words() / 10_000.0);
      double links = Math.log(1 + cluster.links());
      return new Candidate(PageId.of(page.url()), cluster, words / length + links);
    }
  }
}
