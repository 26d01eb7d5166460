package io.braid.testkit.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.testkit.history.HistoryFormatException;
import org.junit.jupiter.api.Test;

class ScanHistoryTest {

  @Test
  void scansOfSnapshots() {
    valid(
        """
        ok 0-10 @1-5 insert 10, insert 20, insert 30
        ok 20-30 @10-15 range 0 100 [10 20 30], delete 10, insert 11, range 0 15 [11]
        ok 20-40 @12 range 0 100 [10 20 30]
        ok 50-60 @20 range 0 100 [11 20 30], range 20 30 [20]
        fail 50-60 delete 20, insert 21
        ok 70-80 @30 range 0 100 [11 20 30]
        """);
  }

  @Test
  void unknownOutcomeTakesEffectWholeOnceSeen() {
    valid(
        """
        ok 0-10 @1-5 insert 10, insert 20
        info 20-30 delete 10, insert 11
        info 20-30 delete 20, insert 21
        ok 40-50 @20 range 0 100 [10 20]
        ok 60-70 @30 range 0 100 [11 20]
        ok 80-90 @40-45 delete 11, insert 12
        ok 95-99 @50 range 0 100 [12 20]
        """);
  }

  @Test
  void unknownOutcomeIsSeenByWhoDeletesWhatItInserted() {
    valid(
        """
        ok 0-10 @1-5 insert 10
        info 20-30 delete 10, insert 11
        info 40-50 delete 11, insert 12
        ok 60-70 @40-45 delete 12, insert 13
        ok 80-90 @50 range 0 100 [13]
        """);
  }

  @Test
  void unknownOutcomeIsSeenByWhatItDeleted() {
    valid(
        """
        ok 0-10 @1-5 insert 10, insert 20
        info 20-30 delete 10, insert 90
        info 20-30 delete 20
        ok 40-50 @20 range 0 50 []
        ok 60-70 @30 range 50 100 [90]
        """);
  }

  @Test
  void ofTwoThatMayHaveDeletedAMemberTheOneDidWhoseInsertIsSeenLater() {
    valid(
        """
        ok 0-10 @1-5 insert 10
        info 20-30 delete 10, insert 80
        info 20-30 delete 10, insert 90
        ok 40-50 @20 range 0 50 []
        ok 60-70 @30 range 50 100 [90]
        """);
  }

  @Test
  void twoOfUnknownOutcomeCannotBothHaveDeletedAMember() {
    invalid(
        "lost-update",
        """
        ok 0-10 @1-5 insert 10
        info 20-30 delete 10, insert 80
        info 20-30 delete 10, insert 90
        ok 40-50 @20 range 0 100 [80 90]
        """);
  }

  @Test
  void phantom() {
    invalid(
        "wrong-snapshot",
        """
        ok 0-10 @1-5 insert 10
        ok 20-30 @10-15 delete 10, insert 11
        ok 20-40 @12 range 0 100 [10 11]
        """);
  }

  @Test
  void missingMember() {
    invalid(
        "wrong-snapshot",
        """
        ok 0-10 @1-5 insert 10
        ok 20-30 @10-15 delete 10, insert 11
        ok 40-50 @20 range 0 100 []
        """);
  }

  @Test
  void tornUnknownOutcome() {
    invalid(
        "wrong-snapshot",
        """
        ok 0-10 @1-5 insert 10
        info 20-30 delete 10, insert 11
        ok 40-50 @20 range 0 100 []
        """);
  }

  @Test
  void effectOfAnUnknownOutcomeThatGoesAgain() {
    invalid(
        "wrong-snapshot",
        """
        ok 0-10 @1-5 insert 10
        info 20-30 delete 10, insert 11
        ok 40-50 @20 range 0 100 [11]
        ok 60-70 @30 range 0 100 [10]
        """);
  }

  @Test
  void memberDeletedByTwo() {
    invalid(
        "lost-update",
        """
        ok 0-10 @1-5 insert 10
        ok 20-30 @10-15 delete 10, insert 11
        ok 20-40 @12-18 delete 10, insert 12
        """);
  }

  @Test
  void failedInsertThatShows() {
    invalid(
        "G1a",
        """
        fail 0-10 insert 10
        ok 20-30 @10 range 0 100 [10]
        """);
  }

  @Test
  void memberThatNobodyInserted() {
    invalid("garbage-read", "ok 20-30 @10 range 0 100 [10]");
  }

  @Test
  void scanOutOfOrder() {
    invalid(
        "wrong-order",
        """
        ok 0-10 @1-5 insert 10, insert 20
        ok 20-30 @10 range 0 100 [20 10]
        """);
  }

  @Test
  void snapshotOlderThanWhatHadEnded() {
    invalid(
        "stale-snapshot",
        """
        ok 0-10 @1-5 insert 10
        ok 20-30 @4 range 0 100 []
        """);
  }

  @Test
  void historiesThatCannotBeJudgedAreRefused() {
    assertThatThrownBy(() -> check("ok 0-10 @1-2 insert 1\nfail 0-10 insert 1"))
        .isInstanceOf(HistoryFormatException.class);
    assertThatThrownBy(() -> check("ok 0-10 insert 1")).isInstanceOf(HistoryFormatException.class);
  }

  private static Verdict check(String history) {
    return HistoryChecker.check(HistoryText.parse(history));
  }

  private static void valid(String history) {
    Verdict verdict = check(history);
    assertThat(verdict.valid()).as(verdict.toText()).isTrue();
  }

  private static void invalid(String anomaly, String history) {
    Verdict verdict = check(history);
    assertThat(verdict.found()).as(verdict.toText()).containsKey(anomaly);
  }
}
