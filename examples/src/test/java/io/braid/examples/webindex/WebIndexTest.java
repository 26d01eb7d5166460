package io.braid.examples.webindex;

import static io.braid.examples.webindex.TestIndex.SITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.Loader.Loaded;
import io.braid.examples.webindex.search.Hit;
import io.braid.examples.webindex.tables.Cluster;
import io.braid.examples.webindex.tables.Tables;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebIndexTest {
  private static final String TWIN = "<title>Twin</title>the same twice";

  private final TestIndex web = new TestIndex();

  @AfterEach
  void close() {
    web.close();
  }

  @Test
  void everythingIsDerivedFromThePages() {
    web.load("a", "<title>A</title>apple <a href=b>to b</a> <a href=b>again</a> <a href=#x>up</a>");
    web.load("b", "<title>B</title>banana <a href=missing>nowhere</a>");
    web.settle();

    assertThat(web.index.counts()).isEqualTo(new Counts(2, 2, 2, 3));
    assertThat(web.search("banana"))
        .singleElement()
        .satisfies(
            hit -> {
              assertThat(hit.url()).isEqualTo(SITE + "b");
              assertThat(hit.title()).isEqualTo("B");
              assertThat(hit.anchors()).containsExactly("again", "to b");
              assertThat(hit.links()).isEqualTo(2);
            });
  }

  @Test
  void linksCountOnceTheirTargetIsAPage() {
    web.load("a", "<a href=late>to come</a>");
    web.settle();
    assertThat(web.index.counts().links()).isZero();

    web.load("late", "here now");
    web.settle();
    assertThat(web.index.counts().links()).isEqualTo(1);

    web.remove("late");
    web.settle();
    assertThat(web.index.counts()).isEqualTo(new Counts(1, 1, 1, 0));
  }

  @Test
  void aRecrawlReplacesAllThatTheOldVersionSaid() {
    web.load("a", "old words <a href=b>old link</a>");
    web.load("b", "target");
    web.load("c", "other target");
    web.settle();

    assertThat(web.load("a", "new words <a href=c>new link</a>")).isEqualTo(Loaded.CHANGED);
    web.settle();

    assertThat(web.found("old")).isEmpty();
    assertThat(web.found("new words")).containsExactly("a");
    assertThat(web.cluster("b").map(Cluster::links)).hasValue(0L);
    assertThat(web.cluster("c").map(Cluster::links)).hasValue(1L);
  }

  @Test
  void anUnchangedPageWakesNobody() {
    web.load("a", "text");
    web.settle();
    long runs = web.index.observerStats().runs();

    assertThat(web.load("a", "text")).isEqualTo(Loaded.UNCHANGED);
    web.settle();

    assertThat(web.index.observerStats().runs()).isEqualTo(runs);
  }

  @Test
  void removedPagesLeaveNothingBehind() {
    web.load("a", TWIN + "<a href=/b>x</a>");
    web.load("b", TWIN + "<a href=/b>x</a>");
    web.settle();

    assertThat(web.remove("a")).isTrue();
    assertThat(web.remove("b")).isTrue();
    assertThat(web.remove("b")).isFalse();
    web.settle();

    assertThat(web.index.counts()).isEqualTo(new Counts(0, 0, 0, 0));
    try (Snapshot now = web.db.snapshot()) {
      for (Map.Entry<String, List<String>> table : Tables.families().entrySet()) {
        for (String family : table.getValue()) {
          try (RowCursor rows = now.scan(Scan.of(table.getKey()).family(family))) {
            assertThat(rows.hasNext()).as(table.getKey() + " " + family).isFalse();
          }
        }
      }
    }
  }

  @Test
  void amongDuplicatesTheOneWithMostLinksIsCanonical() {
    web.load("x", TWIN);
    web.load("y", TWIN);
    web.load("links", "<a href=y>one</a> <a href=y>two</a> <a href=x>three</a>");
    web.settle();

    assertThat(web.found("twice")).containsExactly("y");
    Hit hit = web.search("twice").get(0);
    assertThat(hit.duplicates()).isEqualTo(1);
    assertThat(hit.links()).as("links to the duplicate are forwarded").isEqualTo(3);
    assertThat(hit.anchors()).containsExactly("one", "three", "two");
  }

  @Test
  void ofEquallyLinkedDuplicatesTheFirstUrlIsCanonical() {
    web.load("y", TWIN);
    web.load("x", TWIN);
    web.load("z", TWIN);
    web.settle();

    assertThat(web.cluster("z").map(Cluster::canonical)).hasValue(SITE + "x");
  }

  @Test
  void forwardedLinksFollowWhenTheCanonicalPageChanges() {
    web.load("x", TWIN);
    web.load("y", TWIN);
    web.load("links", "<a href=y>one</a>");
    web.settle();
    assertThat(web.cluster("x").map(Cluster::canonical)).hasValue(SITE + "y");

    web.load("links", "<a href=x>one</a> <a href=y>two</a> <a href=x>three</a>");
    web.settle();
    assertThat(web.cluster("y").map(Cluster::canonical)).hasValue(SITE + "x");
    assertThat(web.cluster("y").map(Cluster::links)).hasValue(3L);

    web.load("x", "no twin any more");
    web.settle();
    assertThat(web.cluster("y").map(Cluster::canonical)).hasValue(SITE + "y");
    assertThat(web.cluster("y").map(Cluster::links)).hasValue(1L);
    assertThat(web.cluster("x").map(Cluster::links)).hasValue(2L);
  }

  @Test
  void manyLinksToOnePageDoNotConflict() {
    web.load("hot", "popular");
    web.settle();
    for (int i = 0; i < 200; i++) {
      web.load("p" + i, "page " + i + " <a href=hot>hot</a>");
    }
    web.settle();

    assertThat(web.cluster("hot").map(Cluster::links)).hasValue(200L);
    ObserverConflicts.assertFew(web.index.observerStats());
  }

  @Test
  void manyDuplicatesAtOnceDoNotConflict() {
    for (int i = 0; i < 200; i++) {
      web.load("p" + i, TWIN);
    }
    web.settle();

    assertThat(web.index.counts()).isEqualTo(new Counts(200, 1, 1, 0));
    ObserverConflicts.assertFew(web.index.observerStats());
  }
}
