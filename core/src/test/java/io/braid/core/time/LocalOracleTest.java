package io.braid.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LocalOracleTest {
  private static final long NOW = Instant.parse("2026-05-04T10:00:00Z").toEpochMilli();
  private final FakeBound bound = new FakeBound();
  private final FakeSeams seams = new FakeSeams(NOW, 1);

  @Test
  void timestampsReadAsTheWallTime() {
    LocalOracle oracle = new LocalOracle(bound, seams);

    assertThat(Timestamp.wallMillis(oracle.next())).isEqualTo(NOW);
    seams.pass(Duration.ofMinutes(5));
    assertThat(Timestamp.wallMillis(oracle.next())).isEqualTo(NOW + 300_000);
  }

  @Test
  void severalLieOneStepApartAndBelowTheNext() {
    LocalOracle oracle = new LocalOracle(bound, seams);

    long first = oracle.next(1000);

    assertThat(oracle.next()).isEqualTo(first + 1000 * Timestamp.STEP);
    assertThat(oracle.lastIssued()).isEqualTo(first + 1000 * Timestamp.STEP);
    assertThat(Timestamp.local(first)).isZero();
  }

  @Test
  void oneRaiseLastsForManyTimestamps() {
    LocalOracle oracle = new LocalOracle(bound, seams);

    for (int i = 0; i < 10_000; i++) {
      oracle.next();
    }

    assertThat(bound.raises).isEqualTo(1);
  }

  @Test
  void theRangeIsExtendedBeforeItRunsOut() {
    LocalOracle oracle = new LocalOracle(bound, seams);
    oracle.next();
    for (int i = 0; i < 100; i++) {
      seams.pass(Duration.ofMillis(20));
      long timestamp = oracle.next();
      assertThat(bound.value - timestamp).isGreaterThan(AllocatedRange.AHEAD / 4);
    }
    assertThat(bound.raises).isBetween(2, 6);
  }

  /** Faults 2 and 3: a bound that is slow to raise delays timestamps, but there are some. */
  @Test
  void aRaiseMayTakeLongerThanARangeLasts() {
    TimestampBound slow =
        new TimestampBound() {
          @Override
          public long read() {
            return bound.read();
          }

          @Override
          public boolean raise(long expected, long next) {
            if (bound.raises > 10) {
              throw new AssertionError("It is raised again and again.");
            }
            seams.pass(Duration.ofMillis(2500));
            return bound.raise(expected, next);
          }
        };
    LocalOracle oracle = new LocalOracle(slow, seams);
    long before = oracle.next();
    seams.pass(Duration.ofSeconds(30));
    assertThat(oracle.next()).isGreaterThan(before).isLessThan(bound.value);
  }

  @Test
  void atMostOneSecondIsBorrowedFromTheFuture() {
    LocalOracle oracle = new LocalOracle(bound, seams);

    for (int i = 0; i < 1000; i++) {
      long last = oracle.next(LocalOracle.MAX_COUNT) + (LocalOracle.MAX_COUNT - 1) * Timestamp.STEP;
      assertThat(Timestamp.wallMillis(last) - seams.wallMillis()).isLessThanOrEqualTo(1000);
    }
    assertThat(seams.wallMillis()).isGreaterThan(NOW);
  }

  /** Fault 2. */
  @Test
  void aRestartBeginsAtTheBound() {
    long before = new LocalOracle(bound, seams).next();
    LocalOracle restarted = new LocalOracle(bound, seams);

    assertThat(restarted.lastIssued()).isGreaterThanOrEqualTo(before);
    assertThat(restarted.next()).isGreaterThan(before);
  }

  /** Fault 2. */
  @Test
  void aRestartAfterTheClockWasSetBackAnHourRepeatsNothing() {
    long before = new LocalOracle(bound, seams).next();
    seams.wall.addAndGet(-Duration.ofHours(1).toMillis());

    LocalOracle restarted = new LocalOracle(bound, seams);

    assertThat(restarted.next()).isGreaterThan(before);
  }

  /** Fault 2. */
  @Test
  void aClockSetBackAnHourSlowsTimestampsDownUntilItHasCaughtUp() {
    LocalOracle oracle = new LocalOracle(bound, seams);
    long before = oracle.next(LocalOracle.MAX_COUNT);
    seams.wall.addAndGet(-Duration.ofHours(1).toMillis());

    for (int i = 0; i < 60; i++) {
      long timestamp = oracle.next(LocalOracle.MAX_COUNT);
      assertThat(timestamp).isGreaterThan(before);
      before = timestamp;
      seams.pass(Duration.ofMinutes(1));
    }
    assertThat(Timestamp.wallMillis(oracle.next()))
        .isEqualTo(NOW + Duration.ofMinutes(30).toMillis());
    seams.pass(Duration.ofHours(1));
    assertThat(Timestamp.wallMillis(oracle.next())).isEqualTo(seams.wallMillis());
  }

  @Test
  void aClockThatLeapsAYearCostsLittle() {
    LocalOracle oracle = new LocalOracle(bound, seams);
    oracle.next();
    seams.wall.addAndGet(Duration.ofDays(365).toMillis());
    seams.pass(Duration.ofHours(1));
    oracle.next();
    seams.wall.addAndGet(-Duration.ofDays(365).toMillis());

    assertThat(Timestamp.wallMillis(oracle.next()) - seams.wallMillis())
        .isLessThanOrEqualTo(Duration.ofHours(1).toMillis());
  }

  @Test
  void aMachineThatSleptOverTheWeekendIsBelieved() {
    LocalOracle oracle = new LocalOracle(bound, seams);
    oracle.next();
    seams.wall.addAndGet(Duration.ofDays(3).toMillis());

    assertThat(Timestamp.wallMillis(oracle.next())).isEqualTo(seams.wallMillis());
  }

  @Test
  void aClockNobodyCanBelieveIsRefusedUnlessTheBoundTellsBetter() {
    FakeSeams nineteenSeventy = new FakeSeams(1000, 1);
    assertThatThrownBy(() -> new LocalOracle(bound, nineteenSeventy))
        .isInstanceOf(TimestampUnavailableException.class)
        .hasMessageContaining("Set the clock");
    long before = new LocalOracle(bound, seams).next();

    assertThat(new LocalOracle(bound, nineteenSeventy).next()).isGreaterThan(before);
  }

  /** Fault 71: however wrong the clock is for one life, timestamps stay where they were. */
  @Test
  void aLifeWithAWrongClockCostsNothing() {
    long before = new LocalOracle(bound, seams).next();
    for (int days : new int[] {400, -400, 4000, -20_000, 30_000}) {
      FakeSeams wrong = new FakeSeams(NOW + Duration.ofDays(days).toMillis(), 1);
      LocalOracle oracle = new LocalOracle(bound, wrong);
      assertThat(oracle.next()).isGreaterThan(before);
      wrong.pass(Duration.ofMinutes(5));
      before = oracle.next();
      assertThat(Timestamp.wallMillis(before)).isBetween(NOW, NOW + 3_600_000);
      assertThat(oracle.clock().doubtful()).isTrue();
    }
    seams.pass(Duration.ofHours(1));
    LocalOracle right = new LocalOracle(bound, seams);
    assertThat(Timestamp.wallMillis(right.next())).isEqualTo(seams.wallMillis());
    assertThat(right.clock().doubtful()).isFalse();
  }

  /** Fault 71. */
  @Test
  void aDatabaseThatWasSwitchedOffForAYearLeapsWhenItIsToldTo() {
    long before = new LocalOracle(bound, seams).next();
    seams.wall.addAndGet(Duration.ofDays(365).toMillis());
    LocalOracle oracle = new LocalOracle(bound, seams);
    assertThat(oracle.next()).isGreaterThan(before);
    long meanwhile = oracle.next();
    seams.pass(Duration.ofHours(1));
    assertThat(oracle.lastAt(Instant.ofEpochMilli(seams.wallMillis() - 1_800_000)))
        .isBetween(meanwhile, oracle.next());

    oracle.confirmClock();

    assertThat(Timestamp.wallMillis(oracle.next())).isEqualTo(seams.wallMillis());
    assertThat(oracle.clock().doubtful()).isFalse();
    LocalOracle next = new LocalOracle(bound, seams);
    next.next();
    assertThat(next.clock().doubtful()).isFalse();
  }

  /**
   * Fault 71: after a life in which a wrong clock was believed, the time of day means what it did.
   */
  @Test
  void timestampsThatAreAheadForGoodAreFoundByTheTimeOfDay() {
    long early = new LocalOracle(bound, seams).next();
    FakeSeams wrong = new FakeSeams(NOW + Duration.ofDays(400).toMillis(), 1);
    LocalOracle mistaken = new LocalOracle(bound, wrong);
    mistaken.next();
    mistaken.confirmClock();
    long mistakenly = mistaken.next();

    seams.pass(Duration.ofHours(1));
    LocalOracle ahead = new LocalOracle(bound, seams);
    long first = ahead.next();
    assertThat(first).isGreaterThan(mistakenly);
    assertThat(ahead.clock().doubtful()).isTrue();
    ahead.confirmClock();
    assertThat(ahead.clock().doubtful()).isFalse();
    Instant noted = Instant.ofEpochMilli(seams.wallMillis());
    long then = ahead.next();
    seams.pass(Duration.ofHours(3));
    long later = ahead.next();

    // Nobody had it open for a day.
    seams.pass(Duration.ofDays(1));
    LocalOracle again = new LocalOracle(bound, seams);
    assertThat(again.next()).isGreaterThan(later);
    assertThat(again.clock().doubtful()).isFalse();
    assertThat(again.lastAt(noted)).isBetween(then, later - 1);
    assertThat(again.lastAt(Instant.ofEpochMilli(NOW))).isBetween(early, mistakenly - 1);
    assertThat(again.lastAt(Instant.ofEpochMilli(seams.wallMillis()))).isGreaterThan(later);
  }

  /** Fault 71: in a shared database, whoever is the oracle then is deposed. */
  @Test
  void theClockCanBeConfirmedBesideTheOracle() {
    new LocalOracle(bound, seams).next();
    seams.wall.addAndGet(Duration.ofDays(365).toMillis());
    LocalOracle old = new LocalOracle(bound, seams);
    old.next();
    LocalOracle.confirmClock(bound, seams);
    seams.pass(Duration.ofSeconds(30));
    assertThatThrownBy(old::next)
        .isInstanceOfSatisfying(
            TimestampUnavailableException.class, failed -> assertThat(failed.isLasting()).isTrue());
    LocalOracle next = new LocalOracle(bound, seams);
    assertThat(Timestamp.wallMillis(next.next())).isEqualTo(seams.wallMillis());
  }

  /** Faults 2 and 3, without the lease: a holder that was paused and replaced. */
  @Test
  void aDeposedHolderGrantsNothing() {
    LocalOracle old = new LocalOracle(bound, seams);
    long before = old.next();
    seams.pass(Duration.ofSeconds(30));
    LocalOracle fresh = new LocalOracle(bound, seams);

    assertThat(fresh.next()).isGreaterThan(before);
    assertThatThrownBy(old::next)
        .isInstanceOfSatisfying(
            TimestampUnavailableException.class, failed -> assertThat(failed.isLasting()).isTrue());
    seams.wall.addAndGet(-Duration.ofSeconds(30).toMillis());
    assertThatThrownBy(old::next)
        .isInstanceOfSatisfying(
            TimestampUnavailableException.class, failed -> assertThat(failed.isLasting()).isTrue());
  }

  @Test
  void aPredecessorsRaiseThatLandsAfterTheStartIsSkipped() {
    LocalOracle oracle = new LocalOracle(bound, seams);
    long inAnHour = NOW + Duration.ofHours(1).toMillis();
    bound.value = Timestamp.ofWallMillis(inAnHour) + 3;

    assertThat(Timestamp.wallMillis(oracle.next())).isEqualTo(inAnHour);
    assertThat(seams.wallMillis()).isEqualTo(NOW);
    assertThat(oracle.lastIssued()).isLessThan(bound.value);
  }

  /** Fault 3. */
  @Test
  void rangesOfTwoHoldersAreDisjoint() {
    LocalOracle one = new LocalOracle(bound, seams);
    long ofOne = one.next();
    long endOfOne = bound.value;
    LocalOracle two = new LocalOracle(bound, seams);

    assertThat(ofOne).isLessThan(endOfOne);
    assertThat(two.next()).isGreaterThanOrEqualTo(endOfOne);
  }

  @Test
  void anUnknownRaiseReservesNothingByItself() {
    bound.fates.add(FakeBound.Fate.LOST_REPLY);
    LocalOracle oracle = new LocalOracle(bound, seams);

    long timestamp = oracle.next();

    assertThat(bound.raises).isEqualTo(2);
    assertThat(timestamp).isLessThan(bound.value);
  }

  @Test
  void aRaiseThatLandsLateDeposesNobody() {
    bound.fates.add(FakeBound.Fate.LATE);
    bound.fates.add(FakeBound.Fate.LATE);
    LocalOracle oracle = new LocalOracle(bound, seams);

    long before = oracle.next();
    seams.pass(Duration.ofSeconds(2));

    assertThat(oracle.next()).isGreaterThan(before).isLessThan(bound.value);
  }

  @Test
  void aTakeoverDuringAnUnknownRaiseIsNoticed() {
    LocalOracle one = new LocalOracle(bound, seams);
    one.next();
    seams.pass(Duration.ofMillis(800));
    bound.fates.add(FakeBound.Fate.LOST_REPLY);
    one.next();
    new LocalOracle(bound, seams).next();
    seams.pass(Duration.ofMillis(800));

    assertThatThrownBy(one::next)
        .isInstanceOfSatisfying(
            TimestampUnavailableException.class, failed -> assertThat(failed.isLasting()).isTrue());
  }

  @Test
  void aBoundThatCannotBeRaisedIsReportedAndTriedAgainLater() {
    LocalOracle oracle = new LocalOracle(bound, seams);
    for (int i = 0; i < 100_000; i++) {
      bound.fates.add(FakeBound.Fate.LOST_REQUEST);
    }

    assertThatThrownBy(oracle::next)
        .isExactlyInstanceOf(TimestampUnavailableException.class)
        .hasRootCauseMessage("request lost");
    bound.fates.clear();
    assertThat(oracle.next()).isLessThan(bound.value);
  }

  @Test
  void whileTheBoundCannotBeRaisedTheRestOfTheRangeIsGivenOut() {
    LocalOracle oracle = new LocalOracle(bound, seams);
    oracle.next();
    seams.pass(Duration.ofMillis(600));
    bound.fates.add(FakeBound.Fate.LOST_REQUEST);

    assertThat(oracle.next()).isLessThan(bound.value);
    assertThat(bound.fates).isEmpty();
  }

  @Test
  void absurdCountsAreRefused() {
    LocalOracle oracle = new LocalOracle(bound, seams);

    assertThatThrownBy(() -> oracle.next(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> oracle.next(65_537)).isInstanceOf(IllegalArgumentException.class);
  }
}
