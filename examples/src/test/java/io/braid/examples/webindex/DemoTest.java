package io.braid.examples.webindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.examples.webindex.demo.Demo;
import io.braid.examples.webindex.demo.DemoInput;
import io.braid.examples.webindex.demo.DemoReport;
import io.braid.examples.webindex.demo.DemoView;
import io.braid.examples.webindex.demo.Latencies;
import io.braid.examples.webindex.demo.Stage;
import io.braid.examples.webindex.input.InputException;
import io.braid.examples.webindex.input.Zips;
import io.braid.examples.webindex.search.Hit;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DemoTest {
  private static final int PAGES = 120;
  private static final List<String> QUERIES = List.of("page", "release", "nothing like this");

  @TempDir Path dir;

  private final CellStore store = new OpenStore();
  private DemoInput input;

  @BeforeEach
  void write() throws IOException {
    Map<String, String> first = new LinkedHashMap<>();
    Map<String, String> second = new LinkedHashMap<>();
    for (int i = 0; i < PAGES; i++) {
      first.put("p" + i + ".html", "page " + i + " <a href=p0.html>first</a> release one");
      second.put("p" + (i + 1) + ".html", "page " + i + " <a href=p0.html>first</a> release two");
    }
    input =
        DemoInput.open(
            Zips.write(dir.resolve("lib-1.jar"), first),
            Zips.write(dir.resolve("lib-2.jar"), second),
            List.of(Zips.write(dir.resolve("other.jar"), Map.of("a.html", "unchanged"))));
  }

  @Test
  void theReportCountsTheSecondCrawlAndWhatStayed() {
    Watcher watcher = new Watcher();

    DemoReport report = run(watcher);

    assertThat(report.counts()).isEqualTo(new Counts(PAGES + 1, PAGES + 1, PAGES + 1, 0));
    assertThat(report.equal()).isTrue();
    assertThat(report.latencies().count()).as("changed, new and gone pages").isEqualTo(PAGES + 1);
    assertThat(report.observerRuns()).isGreaterThan(4L * PAGES);
    assertThat(watcher.begun)
        .containsExactly(
            Stage.FIRST_CRAWL,
            Stage.SAMPLE,
            Stage.RELEASE,
            Stage.REBUILD,
            Stage.QUERIES,
            Stage.DONE);
    assertThat(watcher.recrawled)
        .containsExactly(
            new DemoView.Recrawled(0, 2, 0, 0, 0), new DemoView.Recrawled(1, PAGES - 3, 0, 2, 1));
    assertThat(watcher.answered).containsExactlyElementsOf(QUERIES);
    assertThat(report.toObject())
        .containsOnlyKeys(
            "pages",
            "distinct_exact",
            "distinct_text",
            "links",
            "index_latency_ms",
            "rebuild_s",
            "conflicts",
            "observer_runs");
  }

  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"FIRST_CRAWL", "SAMPLE", "RELEASE", "REBUILD"})
  void anInterruptedRunGoesOn(Stage interrupted) {
    Watcher first = new Watcher();
    first.failAt = interrupted;
    assertThatThrownBy(() -> run(first)).isInstanceOf(Interruption.class);

    Watcher second = new Watcher();
    DemoReport report = run(second);

    assertThat(second.resumed).containsExactly(interrupted);
    assertThat(second.begun).first().isEqualTo(interrupted);
    assertThat(report.counts()).isEqualTo(new Counts(PAGES + 1, PAGES + 1, PAGES + 1, 0));
    assertThat(report.equal()).isTrue();
  }

  @Test
  void aFinishedRunBeginsAnew() {
    run(new Watcher());
    Watcher second = new Watcher();

    DemoReport report = run(second);

    assertThat(second.resumed).isEmpty();
    assertThat(second.begun).first().isEqualTo(Stage.FIRST_CRAWL);
    assertThat(report.latencies().count()).isEqualTo(PAGES + 1);
  }

  @Test
  void anIndexOfTheUserIsNeverTouched() {
    try (Braid db = open()) {
      WebIndex.start(db).loader().load(TestIndex.page("mine", "my page"));
    }

    assertThatThrownBy(() -> run(new Watcher()))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("--data");

    try (Braid db = open()) {
      assertThat(WebIndex.isIn(db)).isTrue();
    }
  }

  @Test
  void anIndexThatTheUserAddedToIsTheUsers() {
    run(new Watcher());
    try (Braid db = open()) {
      Demo.disown(db);
    }

    assertThatThrownBy(() -> run(new Watcher())).isInstanceOf(InputException.class);
  }

  private DemoReport run(Watcher watcher) {
    try (Braid db = open()) {
      return Demo.run(db, input, QUERIES, watcher);
    }
  }

  private Braid open() {
    return Braid.over(store, BraidConfig.defaults());
  }

  /** What is in it is still there when it is opened again. */
  private static final class OpenStore extends ForwardingStore {
    OpenStore() {
      super(new MemoryStore());
    }

    @Override
    public void close() {}
  }

  private static final class Interruption extends RuntimeException {}

  private static final class Watcher implements DemoView {
    private final List<Stage> resumed = new ArrayList<>();
    private final List<Stage> begun = new ArrayList<>();
    private final List<Recrawled> recrawled = new ArrayList<>();
    private final List<String> answered = new ArrayList<>();
    private Stage failAt = Stage.DONE;

    private void fail(Stage here) {
      if (here == failAt) {
        throw new Interruption();
      }
    }

    @Override
    public void resumed(Stage stage) {
      resumed.add(stage);
    }

    @Override
    public void begins(Stage stage, DemoInput input) {
      begun.add(stage);
    }

    @Override
    public void surveyed(int pages, long bytes) {}

    @Override
    public void loaded(int pages) {
      if (pages == PAGES / 2) {
        fail(Stage.FIRST_CRAWL);
      }
    }

    @Override
    public void indexing(Counts counts, long waiting) {}

    @Override
    public void firstCrawlDone(CrawlReport report, double seconds, long observerRuns) {}

    @Override
    public void recrawling(int done, int total, Latencies latencies) {
      if (begun.get(begun.size() - 1) == Stage.SAMPLE) {
        fail(Stage.SAMPLE);
      } else if (done == total / 2) {
        fail(Stage.RELEASE);
      }
    }

    @Override
    public void recrawled(Stage stage, Recrawled pages, Latencies latencies) {
      recrawled.add(pages);
    }

    @Override
    public void rebuilt(Rebuilt result, Latencies latencies) {
      fail(Stage.REBUILD);
    }

    @Override
    public void answered(String query, List<Hit> hits, double millis) {
      answered.add(query);
    }
  }
}
