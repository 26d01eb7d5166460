package io.braid.testkit.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.testkit.history.HistoryFormatException;
import org.junit.jupiter.api.Test;

class BankHistoryTest {

  @Test
  void transfersAndReadsOfSnapshots() {
    valid(
        """
        ok 0-10 @1-5 open a=100 b=100
        ok 20-30 @10-15 transfer a b 30
        ok 20-40 @12 balances a=100 b=100
        ok 50-60 @20 balances a=70 b=130
        fail 50-60 transfer a b 70
        ok 70-80 @30-35 transfer b a 130, balances a=200 b=0
        ok 90-99 @40 balances a=200 b=0
        """);
  }

  @Test
  void transferOfUnknownOutcomeMayShowOrNot() {
    valid(
        """
        ok 0-10 @1-5 open a=100 b=100
        info 20-30 transfer a b 30
        ok 40-50 @20 balances a=100 b=100
        ok 60-70 @30 balances a=70 b=130
        """);
  }

  @Test
  void tornTransfer() {
    invalid(
        "wrong-total",
        """
        ok 0-10 @1-5 open a=100 b=100
        info 20-30 transfer a b 30
        ok 40-50 @20 balances a=70 b=100
        """);
  }

  @Test
  void lostTransfer() {
    invalid(
        "wrong-snapshot",
        """
        ok 0-10 @1-5 open a=100 b=100
        ok 20-30 @10-15 transfer a b 30
        ok 40-50 @20 balances a=100 b=100
        """);
  }

  @Test
  void failedTransferThatShows() {
    invalid(
        "wrong-snapshot",
        """
        ok 0-10 @1-5 open a=100 b=100
        fail 20-30 transfer a b 30
        ok 40-50 @20 balances a=70 b=130
        """);
  }

  @Test
  void overdrawnAccount() {
    invalid(
        "overdrawn",
        """
        ok 0-10 @1-5 open a=100 b=100
        ok 20-30 @10-15 transfer a b 130
        ok 40-50 @20 balances a=-30 b=230
        """);
  }

  @Test
  void missingAccount() {
    invalid(
        "wrong-snapshot",
        """
        ok 0-10 @1-5 open a=100 b=0
        ok 40-50 @20 balances a=100
        """);
  }

  @Test
  void overlappingTransfersOfOneAccount() {
    invalid(
        "lost-update",
        """
        ok 0-10 @1-5 open a=100 b=100 c=100
        ok 20-30 @10-15 transfer a b 30
        ok 20-40 @12-18 transfer c a 30
        """);
  }

  @Test
  void snapshotOlderThanWhatHadEnded() {
    invalid(
        "stale-snapshot",
        """
        ok 0-10 @1-5 open a=100 b=100
        ok 20-30 @10-15 transfer a b 30
        ok 40-50 @12 balances a=100 b=100
        """);
  }

  @Test
  void bankMustBeOpenedOnceAndTimestampsBeTold() {
    assertThatThrownBy(() -> check("ok 0-10 @1 balances a=100"))
        .isInstanceOf(HistoryFormatException.class);
    assertThatThrownBy(() -> check("ok 0-10 @1-2 open a=1\nok 0-10 @3-4 open a=1"))
        .isInstanceOf(HistoryFormatException.class);
    assertThatThrownBy(() -> check("ok 0-10 open a=1"))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("timestamps");
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
