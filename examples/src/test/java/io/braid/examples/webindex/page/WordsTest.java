package io.braid.examples.webindex.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class WordsTest {
  @Test
  void wordsAreRunsOfLettersAndDigitsInLowerCase() {
    assertThat(Words.of("StringUtils.isEmpty(\"x_1\"), Gr\u00dc\u00dfe!"))
        .containsExactly("stringutils", "isempty", "x_1", "gr\u00fc\u00dfe");
    assertThat(Words.of(" .,- ")).isEmpty();
  }

  @Test
  void longRunsAreCut() {
    assertThat(Words.of("x".repeat(1000))).containsExactly("x".repeat(Words.MAX_LENGTH));
  }

  @Test
  void wordsOfTheTitleWeighMore() {
    assertThat(Words.weights(new PageText("Map", "a map, a list")))
        .containsExactly(
            Map.entry("a", 2), Map.entry("list", 1), Map.entry("map", 1 + Words.TITLE_WEIGHT));
  }
}
