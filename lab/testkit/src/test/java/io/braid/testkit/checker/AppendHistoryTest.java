package io.braid.testkit.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.testkit.history.HistoryFormatException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each anomaly in the smallest history that shows it, and what looks like one but is legal. */
class AppendHistoryTest {

  @Nested
  class Legal {
    @Test
    void oneAfterTheOther() {
      valid(
          """
          ok 0-10 append x 1
          ok 20-30 r x [1], append x 2, r x [1 2]
          ok 40-50 r x [1 2], r y []
          """);
    }

    @Test
    void writeSkew() {
      valid(
          """
          ok 0-10 r x [], append y 1
          ok 0-10 r y [], append x 1
          ok 20-30 r x [1], r y [1]
          """);
    }

    @Test
    void readersThatOverlapAWriterMaySeeItOrNot() {
      valid(
          """
          ok 0-100 append x 1
          ok 10-20 r x []
          ok 30-40 r x [1]
          """);
    }

    @Test
    void twoReadersSeeOneOfTwoWritersEachInTurn() {
      valid(
          """
          ok 0-100 append x 1
          ok 0-100 append y 1
          ok 10-20 r x [1], r y []
          ok 30-40 r x [1], r y [1]
          """);
    }

    @Test
    void readOnlyTransactionBetweenTwoSkewedWriters() {
      valid(
          """
          ok 0-50 r x [], r y [], append y 1
          ok 0-100 r x [], r y [], append x 1
          ok 60-70 r x [], r y [1]
          ok 110-120 r x [1], r y [1]
          """);
    }

    @Test
    void unknownOutcomeThatWasNeverSeen() {
      valid(
          """
          info 0-10 append x 1
          ok 20-30 r x [], append x 2
          ok 40-50 r x [2]
          """);
    }

    @Test
    void unknownOutcomeThatTookEffectLate() {
      valid(
          """
          info 0-10 append x 1
          ok 20-30 r x []
          ok 40-50 r x [1]
          """);
    }

    @Test
    void failedTransactionThatNobodySaw() {
      valid(
          """
          fail 0-10 append x 1
          ok 20-30 r x []
          """);
    }

    @Test
    void severalAppendsOfOneTransactionSeenTogether() {
      valid(
          """
          ok 0-10 append x 1, append x 2, r x [1 2]
          ok 5-15 r x []
          ok 20-30 r x [1 2]
          """);
    }

    @Test
    void appendThatEndedWithoutALaterRead() {
      valid(
          """
          ok 0-10 r x []
          ok 20-30 append x 1
          """);
    }
  }

  @Nested
  class Forbidden {
    @Test
    void dirtyWrite() {
      invalid(
          "G0",
          """
          ok 0-10 append x 1, append y 1
          ok 0-10 append x 2, append y 2
          ok 20-30 r x [1 2], r y [2 1]
          """);
    }

    @Test
    void abortedRead() {
      invalid(
          "G1a",
          """
          fail 0-10 append x 1
          ok 20-30 r x [1]
          """);
    }

    @Test
    void abortedAppendUnderALaterOne() {
      invalid(
          "G1a",
          """
          fail 0-10 append x 1
          ok 20-30 append x 2
          ok 40-50 r x [1 2]
          """);
    }

    @Test
    void intermediateRead() {
      invalid(
          "G1b",
          """
          ok 0-10 append x 1, append x 2
          ok 0-10 r x [1]
          ok 20-30 r x [1 2]
          """);
    }

    @Test
    void circularInformationFlow() {
      invalid(
          "G1c",
          """
          ok 0-10 append x 1, r y [1]
          ok 0-10 append y 1, r x [1]
          """);
    }

    @Test
    void readSkew() {
      invalid(
          "G-single",
          """
          ok 0-10 append x 1, append y 1
          ok 0-10 r x [], r y [1]
          """);
    }

    @Test
    void twoReadersThatDisagreeOnTheOrderOfTwoWriters() {
      invalid(
          "G-nonadjacent",
          """
          ok 0-100 append x 1
          ok 0-100 append y 1
          ok 0-100 r x [1], r y []
          ok 0-100 r x [], r y [1]
          """);
    }

    @Test
    void lostUpdate() {
      invalid(
          "lost-update",
          """
          ok 0-10 r x [], append x 1
          ok 0-10 r x [], append x 2
          ok 20-30 r x [1 2]
          """);
    }

    @Test
    void lostUpdateThatNobodyReadAfterwards() {
      invalid(
          "lost-update",
          """
          ok 0-10 r x [], append x 1
          ok 0-10 r x [], append x 2
          """);
    }

    @Test
    void overlappingWritersOfOneKey() {
      // The second read y at a time when the first had not committed, yet both wrote x.
      invalid(
          "G-single",
          """
          ok 0-100 append x 1, append y 1
          ok 0-100 append x 2, r y []
          ok 200-210 r x [1 2]
          """);
    }

    @Test
    void staleRead() {
      invalid(
          "stale-read",
          """
          ok 0-10 append x 1
          ok 20-30 r x []
          ok 40-50 r x [1]
          """);
    }

    @Test
    void staleSnapshotOfAWriterOfOtherKeys() {
      invalid(
          "stale-read",
          """
          ok 0-10 append x 1
          ok 20-30 r x [], append y 1
          ok 40-50 r x [1], r y [1]
          """);
    }

    @Test
    void lostAppend() {
      invalid(
          "lost-append",
          """
          ok 0-10 append x 1
          ok 20-30 append x 2
          ok 40-50 r x [2]
          """);
    }

    @Test
    void lostAppendOfTheOnlyWriter() {
      invalid(
          "lost-append",
          """
          ok 0-10 append x 1
          ok 20-30 r x []
          """);
    }

    @Test
    void readFromTheFuture() {
      invalid(
          "G1c-realtime",
          """
          ok 0-10 r x [1]
          ok 20-30 append x 1
          """);
    }

    @Test
    void writesInTheWrongOrderOfTime() {
      invalid(
          "G0-realtime",
          """
          ok 0-10 append x 1
          ok 20-30 append x 2
          ok 40-50 r x [2 1]
          """);
    }

    @Test
    void snapshotThatGoesBackBetweenTwoReaders() {
      invalid(
          "G-single-realtime",
          """
          ok 0-100 append x 1
          ok 10-20 r x [1]
          ok 30-40 r x []
          """);
    }

    @Test
    void effectOfAnUnknownOutcomeThatGoesAgain() {
      invalid(
          "G-single-realtime",
          """
          info 0-10 append x 1
          ok 20-30 r x [1]
          ok 40-50 r x []
          """);
    }

    @Test
    void tornUnknownOutcome() {
      invalid(
          "G-single",
          """
          info 0-10 append x 1, append y 1
          ok 20-30 r x [1], r y []
          """);
    }

    @Test
    void readsOfAnUnknownOutcomeCountOnceItWasSeen() {
      invalid(
          "lost-update",
          """
          ok 0-10 r x [], append x 1
          info 0-10 r x [], append x 2
          ok 20-30 r x [1 2]
          """);
    }

    @Test
    void unknownOutcomeSeenOnlyByAnotherUnknownOne() {
      invalid(
          "G-single",
          """
          info 0-10 append x 1, append z 1
          info 0-10 append y 1, r x [1], r z []
          ok 20-30 r y [1]
          """);
    }

    @Test
    void incompatibleOrders() {
      invalid(
          "incompatible-order",
          """
          ok 0-10 append x 1
          ok 0-10 append x 2
          ok 20-30 r x [1 2]
          ok 20-30 r x [2]
          """);
    }

    @Test
    void duplicate() {
      invalid(
          "duplicate",
          """
          ok 0-10 append x 1
          ok 20-30 r x [1 1]
          """);
    }

    @Test
    void valueThatNobodyAppended() {
      invalid("garbage-read", "ok 20-30 r x [7]");
    }

    @Test
    void ownAppendMissing() {
      invalid("internal", "ok 0-10 append x 1, r x []");
    }

    @Test
    void ownAppendBeforeItWasMade() {
      invalid("internal", "ok 0-10 r x [1], append x 1");
    }

    @Test
    void snapshotThatChangesWithinATransaction() {
      invalid(
          "internal",
          """
          ok 0-10 append x 1
          ok 0-10 r x [], r x [1]
          """);
    }

    @Test
    void tornAppend() {
      invalid(
          "torn-append",
          """
          ok 0-10 append x 1, append x 2
          ok 0-10 append x 3
          ok 20-30 r x [1 3 2]
          """);
    }
  }

  @Test
  void evidenceNamesLinesAndReasons() {
    Verdict verdict =
        check(
            """
            ok 0-10 append x 1, append y 1
            ok 0-10 r x [], r y [1]
            """);
    assertThat(verdict.found()).containsExactly(java.util.Map.entry("G-single", 1L));
    assertThat(verdict.anomalies().get(0).evidence())
        .containsExactlyInAnyOrder(
            "T1 (line 1, process 0): append x 1, append y 1",
            "T2 (line 2, process 1): r x [], r y [1]",
            "T1 before T2: T2 read what T1 appended to y",
            "T2 before T1: T2 did not see what T1 appended to x");
    assertThat(verdict.toJson())
        .startsWith("{\"valid\":false,\"kind\":\"append\",\"counts\":{\"ok\":2,\"fail\":0,")
        .contains("\"found\":{\"G-single\":1}");
    assertThat(verdict.toText()).startsWith("INVALID").contains("T1 before T2");
  }

  @Test
  void validVerdictSaysWhatWasJudged() {
    Verdict verdict =
        check(
            """
            ok 0-10 append x 1
            fail 0-10 append x 2
            ok 20-30 r x [1]
            """);
    assertThat(verdict.toJson())
        .isEqualTo(
            "{\"valid\":true,\"kind\":\"append\",\"counts\":{\"ok\":2,\"fail\":1,\"info\":0,"
                + "\"append\":2,\"read\":1},\"found\":{},\"anomalies\":[],\"notices\":[]}");
  }

  @Test
  void valueAppendedTwiceMakesTheHistoryUnusable() {
    assertThatThrownBy(() -> check("ok 0-10 append x 1\nfail 20-30 append x 1"))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("in line 1 and again in line 2");
  }

  @Test
  void emptyHistoryIsNotValid() {
    assertThatThrownBy(() -> HistoryChecker.check(java.util.List.of()))
        .isInstanceOf(HistoryFormatException.class);
  }

  @Test
  void kindsDoNotMix() {
    assertThatThrownBy(() -> check("ok 0-10 append x 1\nok 20-30 insert 1"))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("scan in a history of kind append");
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
