package io.braid.batch.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.braid.batch.sink.Rate;
import io.braid.batch.snapshot.Outcomes.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is predicted for a load, and when nothing is. */
@SuppressWarnings("NullAway.Init")
class PredictionTest {
  private static final String KIND = "a store, far away";
  private static final long BYTES = 100;

  /** So much was loaded before that all code is compiled. */
  private static final long WARM = 1_000_000;

  @TempDir Path jobs;
  private Outcomes outcomes;

  @BeforeEach
  void open() {
    outcomes = new Outcomes(jobs);
  }

  private Prediction of(long records, boolean near, String kind, String rate) {
    Prediction.Load load =
        new Prediction.Load(records, records * BYTES, near, kind, Rate.parse(rate), WARM);
    return new Prediction(load, true, true, outcomes);
  }

  private Prediction far(long records) {
    return of(records, false, KIND, "none");
  }

  private Prediction near(long records) {
    return of(records, true, KIND, "none");
  }

  private void took(Algorithm algorithm, long records, double seconds) throws IOException {
    outcomes.add(
        new Outcome(algorithm.text(), records, records * BYTES, seconds, KIND, null, WARM));
  }

  @Test
  void whereTheFiguresWereMeasuredTheyStandForWhatNobodyHasSeen() {
    assertThat(near(10_000_000).all()).hasSize(4);
    assertThat(near(10_000_000).fastest()).isEqualTo(Algorithm.HADOOP_SORT);
    assertThat(near(100).fastest()).isEqualTo(Algorithm.STANDARD);
    Prediction.Load load =
        new Prediction.Load(10_000_000, 1L << 30, true, KIND, Rate.UNLIMITED, WARM);
    assertThat(new Prediction(load, false, true, outcomes).fastest()).isEqualTo(Algorithm.STANDARD);
  }

  @Test
  void elsewhereNothingIsPredictedUntilALoadHasEnded() throws IOException {
    assertThat(far(1000).all()).isEmpty();
    assertThat(far(1000).fastest()).isEqualTo(Algorithm.STANDARD);
    assertThat(far(10_000_000).fastest()).isEqualTo(Algorithm.HADOOP_SORT);
    took(Algorithm.VANILLA_SORT, 1000, 11);
    assertThat(far(1000).seconds(Algorithm.VANILLA_SORT)).isCloseTo(11, withinPercentage(1));
    assertThat(far(3000).seconds(Algorithm.VANILLA_SORT)).isBetween(11.0, 33.0);
    assertThat(far(3000).all()).containsOnlyKeys("vanilla-sort");
    assertThat(far(1_000_000).all()).as("of a size that nobody has seen").isEmpty();
    assertThat(far(10).all()).isEmpty();
    assertThat(far(10_000_000).fastest())
        .as("what a small load takes says nothing of the rate")
        .isEqualTo(Algorithm.HADOOP_SORT);
  }

  @Test
  void loadsOfDifferentSizesTellTheFixedPartFromTheRate() throws IOException {
    for (long records : new long[] {1000, 100_000, 1_000_000}) {
      took(Algorithm.VANILLA_SORT, records, 10 + records * 40e-6);
    }
    assertThat(far(2_000_000).seconds(Algorithm.VANILLA_SORT)).isCloseTo(90, withinPercentage(3));
    assertThat(far(400_000).seconds(Algorithm.VANILLA_SORT)).isCloseTo(26, withinPercentage(3));
    assertThat(near(40_000_000).seconds(Algorithm.VANILLA_SORT))
        .isCloseTo(1610, withinPercentage(3));
    assertThat(far(40_000_000).all()).isEmpty();
  }

  /** Whatever came out, no part of a prediction is negative. */
  @Test
  void aLoadThatWasSlowForOtherReasonsMakesNoNonsense() throws IOException {
    took(Algorithm.STANDARD, 1000, 60);
    took(Algorithm.STANDARD, 100_000, 6);
    assertThat(far(100_000).seconds(Algorithm.STANDARD)).isBetween(5.0, 60.0);
    assertThat(near(1).seconds(Algorithm.STANDARD)).isBetween(0.0, 60.0);
    took(Algorithm.IMPORT_SORT, 1000, 0);
    took(Algorithm.IMPORT_SORT, 100_000, 5);
    assertThat(near(1).seconds(Algorithm.IMPORT_SORT)).isNotNegative();
  }

  @Test
  void aSlowMachineLearns() throws IOException {
    took(Algorithm.HADOOP_SORT, 1_000_000, 1000);
    assertThat(near(10_000_000).fastest()).isEqualTo(Algorithm.VANILLA_SORT);
    assertThat(near(1_000_000).seconds(Algorithm.HADOOP_SORT)).isCloseTo(1000, withinPercentage(1));
  }

  /** A load at a rate takes as long as the rate says; how long an adaptive one takes, who knows. */
  @Test
  void aRateIsKept() {
    for (Algorithm each : EnumSet.complementOf(EnumSet.of(Algorithm.AUTO))) {
      assertThat(of(1_000_000, true, KIND, "2000/s").seconds(each)).isEqualTo(500);
      assertThat(of(1_000_000, true, KIND, "1MB/s").seconds(each)).isEqualTo(100);
      assertThat(of(1_000_000, true, KIND, "adaptive").seconds(each)).isZero();
    }
  }

  /** The first load of a process runs code that is not compiled, a small one nothing else. */
  @Test
  void theFirstLoadOfAProcessTakesLonger() throws IOException {
    for (Algorithm each : EnumSet.complementOf(EnumSet.of(Algorithm.AUTO))) {
      for (long records : new long[] {10_000, 100_000, 1_000_000}) {
        Prediction.Load load =
            new Prediction.Load(records, records * BYTES, true, KIND, Rate.UNLIMITED, 0);
        double first = new Prediction(load, true, true, outcomes).seconds(each);
        double later = near(records).seconds(each);
        assertThat(first / later).isBetween(1.01, records == 10_000 ? 2.0 : 3.0);
      }
    }
    // What such a load came to says what a later one does.
    outcomes.add(new Outcome("hadoop-sort", 100_000, 10_000_000, 1.8, KIND, 0.6, 0L));
    double learnt = near(100_000).seconds(Algorithm.HADOOP_SORT);
    assertThat(learnt).isBetween(0.9, 1.5);
    assertThat(outcomes.after("hadoop-sort", KIND)).hasValueCloseTo(0.33, withinPercentage(2));
    assertThat(outcomes.after("hadoop-sort", "another")).isEmpty();
  }

  @Test
  void onlyLoadsOfTheSameKindCount() throws IOException {
    took(Algorithm.VANILLA_SORT, 1000, 11);
    assertThat(of(1000, false, "another store", "none").all()).isEmpty();
  }

  /** Of before kinds were noted, or damaged. */
  @Test
  void outcomesThatSayTooLittleArePassedOver() throws IOException {
    Files.writeString(
        jobs.resolve("outcomes.jsonl"),
        "{\"algorithm\":\"standard\",\"records\":1000,\"bytes\":100000,\"seconds\":9.0}\n");
    assertThat(far(1000).all()).isEmpty();
    Files.writeString(jobs.resolve("outcomes.jsonl"), "nonsense\n");
    assertThat(far(1000).all()).isEmpty();
  }
}
