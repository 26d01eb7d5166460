package io.braid.testkit.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.testkit.Seeds;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StrikeTest {
  @Test
  void scriptStrikesTheCallsItNames() {
    assertThat(ask(Strike.onCalls(1, 4), 5)).containsExactly(1, 4);
  }

  @Test
  void chanceStrikesAboutOneInSoMany() {
    assertThat(ask(Strike.oneIn(10, Seeds.random(1)), 10_000)).hasSizeBetween(900, 1100);
  }

  @Test
  void sameSeedStrikesTheSame() {
    assertThat(ask(Strike.oneIn(3, Seeds.random(7)), 100))
        .isEqualTo(ask(Strike.oneIn(3, Seeds.random(7)), 100));
  }

  @Test
  void othersAreNotCountedAmongAName() {
    Strike second = Strike.onCalls(2).among("a");

    assertThat(List.of("a", "b", "b", "a", "a").stream().map(second::strikes))
        .containsExactly(false, false, false, true, false);
  }

  @Test
  void strikesEndWhenTheyAreUsedUp() {
    assertThat(ask(Strike.always().atMost(2), 5)).containsExactly(1, 2);
    assertThat(ask(Strike.onCalls(2, 3, 4).atMost(2), 5)).containsExactly(2, 3);
    assertThat(ask(Strike.never(), 5)).isEmpty();
  }

  private static List<Integer> ask(Strike strike, int calls) {
    return IntStream.rangeClosed(1, calls)
        .filter(i -> strike.strikes(Strike.READ))
        .boxed()
        .toList();
  }
}
