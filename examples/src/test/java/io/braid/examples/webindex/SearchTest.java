package io.braid.examples.webindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SearchTest {
  private final TestIndex web = new TestIndex();

  @AfterEach
  void close() {
    web.close();
  }

  @Test
  void pagesMustHaveAllWords() {
    web.load("a", "red green");
    web.load("b", "red blue");
    web.load("c", "Red, GREEN and blue");
    web.settle();

    assertThat(web.found("red green")).containsExactlyInAnyOrder("a", "c");
    assertThat(web.found("green RED red")).containsExactlyInAnyOrder("a", "c");
    assertThat(web.found("red green blue")).containsExactly("c");
    assertThat(web.found("yellow")).isEmpty();
    assertThat(web.found("red yellow")).isEmpty();
  }

  @Test
  void frequentWordsTitlesAndLinksRankHigher() {
    web.load("once", "map and other things");
    web.load("often", "map map map and other things");
    web.load("title", "<title>HashMap</title>map and other things");
    web.settle();
    assertThat(web.found("map")).containsExactly("title", "often", "once");

    web.load("fans", "<a href=once>1</a>".repeat(500));
    web.settle();
    assertThat(web.found("map")).startsWith("once");
  }

  @Test
  void theSnippetShowsWhereTheWordIs() {
    web.load("a", "filler ".repeat(100) + "here is the Needle in it " + "filler ".repeat(100));
    web.settle();

    assertThat(web.search("needle").get(0).snippet())
        .startsWith("... ")
        .endsWith(" ...")
        .contains("here is the Needle in it");
  }

  @Test
  void aQueryWithoutAWordIsRefused() {
    assertThatThrownBy(() -> web.search(" .,- "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no word");
  }

  @Test
  void rarityComesFromTheNumberOfPagesHoweverMany() {
    for (int i = 0; i < 1500; i++) {
      web.load("p" + i, i % 10 == 0 ? "common rare" + i : "common");
    }
    web.settle();

    assertThat(web.found("rare50 common")).containsExactly("p50");
  }
}
