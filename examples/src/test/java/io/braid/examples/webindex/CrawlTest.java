package io.braid.examples.webindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.examples.webindex.Loader.Loaded;
import io.braid.examples.webindex.input.InputException;
import io.braid.examples.webindex.input.Sources;
import io.braid.examples.webindex.input.Zips;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrawlTest {
  private static final CrawlView NOBODY =
      new CrawlView() {
        @Override
        public void surveyed(int pages, long bytes) {}

        @Override
        public void loaded(int pages) {}

        @Override
        public void indexing(Counts counts, long waiting) {}
      };

  private final TestIndex web = new TestIndex();

  @TempDir Path dir;

  @AfterEach
  void close() {
    web.close();
  }

  @Test
  void aRecrawlTouchesOnlyWhatHasChanged() throws IOException {
    Path old =
        Zips.write(
            dir.resolve("lib-1.jar"),
            Map.of("same.html", "same", "other.html", "old", "gone.html", "gone"));
    Path young =
        Zips.write(
            dir.resolve("lib-2.jar"),
            Map.of("same.html", "same", "other.html", "new", "more.html", "more"));
    crawl(old, false);

    CrawlReport report = crawl(young, false);

    assertThat(report.loaded())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(Loaded.NEW, 1, Loaded.CHANGED, 1, Loaded.UNCHANGED, 1));
    assertThat(report.removed()).isZero();
    assertThat(report.counts()).isEqualTo(new Counts(4, 4, 4, 0));
    web.settle();
  }

  @Test
  void pruningRemovesWhatHasDisappearedFromTheSameSite() throws IOException {
    Path other = Zips.write(dir.resolve("other.jar"), Map.of("gone.html", "stays"));
    Path old = Zips.write(dir.resolve("lib-1.jar"), Map.of("a.html", "a", "gone.html", "goes"));
    Path young = Zips.write(dir.resolve("lib-2.jar"), Map.of("a.html", "a"));
    crawl(other, true);
    crawl(old, true);

    CrawlReport report = crawl(young, true);

    assertThat(report.removed()).isEqualTo(1);
    assertThat(report.counts().pages()).isEqualTo(2);
    assertThat(web.search("goes")).isEmpty();
    assertThat(web.search("stays")).hasSize(1);
    web.settle();
  }

  @Test
  void anEmptyCrawlNeverPrunes() throws IOException {
    crawl(Zips.write(dir.resolve("lib-1.jar"), Map.of("a.html", "a")), false);
    Path empty = Zips.write(dir.resolve("lib-2.jar"), Map.of("readme", "a"));

    assertThatThrownBy(() -> crawl(empty, true)).isInstanceOf(InputException.class);

    assertThat(web.index.counts().pages()).isEqualTo(1);
  }

  @Test
  void damagedInputChangesNothing() throws IOException {
    Path good = Zips.write(dir.resolve("good.jar"), Map.of("a.html", "a"));
    Path bad = Zips.write(dir.resolve("bad.jar"), Map.of("b.html", "b"));
    byte[] bytes = Files.readAllBytes(bad);
    Files.write(bad, Arrays.copyOf(bytes, bytes.length - 30));

    assertThatThrownBy(
            () ->
                new Crawl(web.index, NOBODY)
                    .run(Sources.open(List.of(good, bad), Optional.empty()), true))
        .isInstanceOf(InputException.class);

    assertThat(web.index.counts().pages()).isZero();
  }

  private CrawlReport crawl(Path path, boolean prune) {
    return new Crawl(web.index, NOBODY).run(Sources.open(List.of(path), Optional.empty()), prune);
  }
}
