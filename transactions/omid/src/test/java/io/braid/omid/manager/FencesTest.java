package io.braid.omid.manager;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which transactions are stopped by fences of their tables. */
class FencesTest {
  private final Fences fences = new Fences();

  private void fence(long table, long at) {
    fences.begin(table);
    fences.end(table, at);
  }

  private boolean stops(long start, long table) {
    return fences.stop(new WriteSet().reset(start).add(1).addTable(table));
  }

  @Test
  void whoBeganBeforeTheFenceOfATableIsStopped() {
    fence(1, 100);
    assertThat(stops(99, 1)).isTrue();
    assertThat(stops(100, 1)).isFalse();
    assertThat(stops(99, 2)).isFalse();
    fences.begin(2);
    assertThat(stops(Long.MAX_VALUE - 1, 2)).isTrue();
    fences.end(2, 0);
    assertThat(stops(99, 2)).isFalse();
  }

  /** Fault 58: whoever asks for fences of ever other tables makes nobody slower. */
  @Test
  void theOldestStandsForAllTablesWhenThereAreTooMany() {
    for (int i = 0; i < 3 * Fences.MOST; i++) {
      fence(i, 10 + i);
    }
    assertThat(fences.count()).isEqualTo(Fences.MOST);
    int forgotten = 2 * Fences.MOST;
    assertThat(stops(10 + forgotten - 2, -1)).as("of a table without a fence").isTrue();
    assertThat(stops(10 + forgotten - 1, -1)).isFalse();
    assertThat(fences.stop(new WriteSet().reset(1))).as("who writes no table").isFalse();
    int newest = 3 * Fences.MOST - 1;
    assertThat(stops(10 + newest - 1, newest)).isTrue();
    assertThat(stops(10 + newest, newest)).isFalse();
    for (int i = 0; i < 3 * Fences.MOST; i++) {
      assertThat(stops(9 + i, i)).as("before the fence of table %d", i).isTrue();
    }
  }

  /** A place is not taken from a fence whose timestamp is about to be drawn. */
  @Test
  void whatIsAboutToBeDrawnIsNotForgotten() {
    for (int i = 0; i < Fences.MOST; i++) {
      fences.begin(i);
    }
    fence(-1, 7);
    fence(-2, 8);
    for (int i = 0; i < Fences.MOST; i++) {
      assertThat(stops(1000, i)).isTrue();
    }
    for (int i = 0; i < Fences.MOST; i++) {
      fences.end(i, 2000);
    }
    assertThat(stops(1999, 0)).isTrue();
    assertThat(stops(2000, 0)).isFalse();
    assertThat(stops(6, -3)).isTrue();
  }
}
