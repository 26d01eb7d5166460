package io.braid.examples.webindex;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.data.Bytes;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.Loader.Loaded;
import io.braid.examples.webindex.input.PageUrl;
import io.braid.examples.webindex.input.RawPage;
import io.braid.examples.webindex.rebuild.Rebuild;
import io.braid.examples.webindex.rebuild.Verification;
import io.braid.examples.webindex.search.Hit;
import io.braid.examples.webindex.search.Search;
import io.braid.examples.webindex.tables.Cluster;
import io.braid.examples.webindex.tables.Clusters;
import io.braid.examples.webindex.tables.PageDigest;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A web index in memory, with pages whose URLs are {@code https://site/NAME}. */
final class TestIndex implements AutoCloseable {
  static final String SITE = "https://site/";

  private static final Duration LONG = Duration.ofMinutes(2);

  final Braid db;
  final WebIndex index;

  TestIndex() {
    this(4);
  }

  TestIndex(int workers) {
    db =
        Braid.over(
            new MemoryStore(),
            BraidConfig.defaults().with("observers.workers", String.valueOf(workers)));
    index = WebIndex.start(db);
  }

  static RawPage page(String name, String html) {
    PageUrl url = PageUrl.parse(SITE + name).orElseThrow();
    return new RawPage(url, SITE, Bytes.of(html), "");
  }

  Loaded load(String name, String html) {
    return index.loader().load(page(name, html));
  }

  boolean remove(String name) {
    return index.loader().remove(SITE + name);
  }

  /** Waits for the observers, then compares with a rebuild. */
  void settle(String description) {
    assertThat(index.awaitFresh(LONG)).as("%s: observers become idle", description).isTrue();
    try (Snapshot now = db.snapshot()) {
      assertThat(Verification.differences(now, Rebuild.of(now))).as(description).isEmpty();
    }
  }

  void settle() {
    settle("the index");
  }

  List<Hit> search(String query) {
    try (Snapshot now = db.snapshot()) {
      return Search.run(now, query, 10);
    }
  }

  /** The names of the pages that answer a query, best first. */
  List<String> found(String query) {
    return search(query).stream().map(hit -> hit.url().substring(SITE.length())).toList();
  }

  /** The cluster of a page. */
  Optional<Cluster> cluster(String name) {
    try (Snapshot now = db.snapshot()) {
      return now.get(Pages.row(PageId.of(SITE + name)), Pages.DIGEST)
          .map(PageDigest::content)
          .flatMap(content -> now.get(Clusters.row(content), Clusters.ELECTED));
    }
  }

  @Override
  public void close() {
    db.close();
  }
}
