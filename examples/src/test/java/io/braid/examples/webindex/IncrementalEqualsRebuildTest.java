package io.braid.examples.webindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever pages come, change and go, in whatever order, while observers run and several loaders
 * write: once nothing is left to do, the index equals one that is built from the pages at once.
 */
class IncrementalEqualsRebuildTest {
  private static final int PAGES = 12;
  private static final int LOADERS = 3;
  private static final int ROUNDS = 6;
  private static final int STEPS = 25;
  private static final List<String> WORDS = List.of("red", "green", "blue", "white", "black");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void afterRandomCrawls(long seed) throws Exception {
    ExecutorService loaders = Executors.newFixedThreadPool(LOADERS);
    try (TestIndex web = new TestIndex()) {
      for (int round = 0; round < ROUNDS; round++) {
        List<Callable<Void>> crawls = new ArrayList<>();
        for (int loader = 0; loader < LOADERS; loader++) {
          Random random = new Random(seed * 1000 + round * 10L + loader);
          int first = loader;
          crawls.add(() -> crawl(web, random, first));
        }
        for (Future<Void> crawl : loaders.invokeAll(crawls)) {
          crawl.get();
        }
        web.settle("seed " + seed + ", round " + round);
      }
      assertThat(web.index.observerStats().runs()).isPositive();
    } finally {
      loaders.shutdownNow();
    }
  }

  /** Each loader has pages of its own, as crawlers have; links and duplicates go across. */
  private static Void crawl(TestIndex web, Random random, int loader) {
    for (int step = 0; step < STEPS; step++) {
      String name = "p" + (random.nextInt(PAGES / LOADERS) * LOADERS + loader);
      if (random.nextInt(5) == 0) {
        web.remove(name);
      } else {
        web.load(name, html(random));
      }
    }
    return null;
  }

  private static String html(Random random) {
    StringBuilder html = new StringBuilder("<title>" + word(random) + "</title>");
    boolean twin = random.nextInt(3) == 0;
    int parts = twin ? 1 : random.nextInt(6);
    for (int i = 0; i < parts; i++) {
      int target = twin ? 0 : random.nextInt(PAGES + 3);
      String text = twin ? "twin" : word(random);
      html.append(text).append(" <a href=/p%d>%s</a> ".formatted(target, text));
    }
    return html.toString();
  }

  private static String word(Random random) {
    return WORDS.get(random.nextInt(WORDS.size()));
  }
}
