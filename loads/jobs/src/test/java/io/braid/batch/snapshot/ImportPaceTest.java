package io.braid.batch.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** What is left of a load when all is read is part of what it takes. */
class ImportPaceTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void beforeTheFirstImportItIsAShareOfTheWhole() {
    ImportPace pace = new ImportPace(0.25, true, 2);
    assertThat(pace.after(0.5, 30)).isCloseTo(10, within(1e-9));
    pace.arrived(100);
    assertThat(pace.after(0.5, 30)).isCloseTo(10, within(1e-9));
    assertThat(pace.left(10, 4)).isCloseTo(6, within(1e-9));
    assertThat(pace.left(10, 40)).isZero();
    assertThat(pace.done()).isZero();
  }

  /** Half is read: of twice what has come as much will be behind as it is now, twice. */
  @Test
  void importsBesideTheReadingTellHowLongOneTakes() {
    ImportPace pace = new ImportPace(0.25, false, 2);
    pace.arrived(100);
    pace.imported(80, 8 * SECOND);
    assertThat(pace.after(0.5, 30)).isCloseTo(40 * 0.05, within(1e-9));
    pace.arrived(100);
    assertThat(pace.left(99, 0)).isCloseTo(120 * 0.05, within(1e-9));
    assertThat(pace.done()).isCloseTo(0.4, within(1e-9));
  }

  @Test
  void whatAnEarlierRunLeftIsImportedToo() {
    ImportPace pace = new ImportPace(0.25, true, 1);
    pace.found(300);
    pace.arrived(100);
    pace.imported(100, SECOND);
    assertThat(pace.after(0.5, 30)).isCloseTo(400 * 0.01, within(1e-9));
    assertThat(pace.left(0, 0)).isCloseTo(3, within(1e-9));
  }
}
