package io.braid.examples.webindex;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.page.Anchors;
import io.braid.examples.webindex.rebuild.Rebuild;
import io.braid.examples.webindex.rebuild.Verification;
import io.braid.examples.webindex.tables.Cluster;
import io.braid.examples.webindex.tables.Clusters;
import io.braid.examples.webindex.tables.Links;
import io.braid.examples.webindex.tables.PageDigest;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import io.braid.examples.webindex.tables.Posting;
import io.braid.examples.webindex.tables.Postings;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A wrong cell in any table is found and named. */
class VerificationTest {
  private static final PageId A = PageId.of(TestIndex.SITE + "a");

  private final TestIndex web = new TestIndex();

  @BeforeEach
  void load() {
    web.load("a", "apple <a href=b>b</a>");
    web.load("b", "banana");
    web.settle();
  }

  @AfterEach
  void close() {
    web.close();
  }

  @Test
  void aWrongElection() {
    Row cluster = Clusters.row(digest().content());
    Cluster elected = web.cluster("a").orElseThrow();
    set(
        cluster,
        Clusters.ELECTED,
        new Cluster(elected.canonical(), elected.size() + 1, elected.links(), elected.texts()));

    assertFinds("web.clusters/", " and should be ");
  }

  @Test
  void aMissingPosting() {
    Row row = Postings.row(Postings.bucket("apple"), A);
    web.db.run(
        tx -> {
          tx.delete(row, Postings.WORDS);
          return row;
        });

    assertFinds("web.postings/" + row.key().toHex(), " is missing and should be ");
  }

  @Test
  void aPostingTooMany() {
    PageId nobody = PageId.of("https://nobody/");
    set(Postings.row(3, nobody), Postings.WORDS, new Posting(new TreeMap<>()));

    assertFinds("web.postings/03" + nobody, " and should not be there");
  }

  @Test
  void aLinkTooMany() {
    set(Links.row(A), Links.from(A), new Anchors(1, List.of("x")));

    assertFinds("web.links/" + A, " and should not be there");
  }

  @Test
  void aWrongUrl() {
    set(Pages.row(A), Pages.URL, "https://elsewhere/");

    assertFinds("web.pages/" + A, " and should be ");
  }

  private PageDigest digest() {
    try (Snapshot now = web.db.snapshot()) {
      return now.get(Pages.row(A), Pages.DIGEST).orElseThrow();
    }
  }

  private <T> void set(Row row, Column<T> column, T value) {
    web.db.run(
        tx -> {
          tx.set(row, column, value);
          return value;
        });
  }

  private void assertFinds(String cell, String verdict) {
    try (Snapshot now = web.db.snapshot()) {
      assertThat(Verification.differences(now, Rebuild.of(now)))
          .singleElement()
          .asString()
          .startsWith(cell)
          .contains(verdict);
    }
  }
}
