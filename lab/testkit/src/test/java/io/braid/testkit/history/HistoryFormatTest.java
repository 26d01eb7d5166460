package io.braid.testkit.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryFormatTest {
  private static final HistoryEntry APPEND =
      HistoryEntry.ok(
          3, 10, 25, List.of(new Op.Append("7", 71), new Op.Read("x", Longs.of(1, 2)), read("y")));

  @Test
  void entryIsOneLineOfTheDocumentedForm() {
    assertThat(text(APPEND))
        .isEqualTo(
            "{\"process\":3,\"type\":\"ok\",\"start\":10,\"end\":25,"
                + "\"ops\":[[\"append\",7,71],[\"r\",\"x\",[1,2]],[\"r\",\"y\",[]]]}\n");
  }

  @Test
  void everyOperationComesBackAsItWas() {
    HistoryEntry entry =
        HistoryEntry.info(
                1,
                2,
                3,
                List.of(
                    new Op.Append("007", -5),
                    new Op.Open(Map.of("0", 100L, "1", 50L)),
                    new Op.Transfer("0", "zurich", 30),
                    new Op.Balances(Map.of("0", 70L)),
                    new Op.Insert(5),
                    new Op.Delete(6),
                    new Op.Range(0, 100, Longs.of(5, 8))),
                "the reply was \"lost\"\n")
            .at(1 << 20, HistoryEntry.NONE);
    assertThat(HistoryLine.read(HistoryLine.write(entry))).isEqualTo(entry);
  }

  @Test
  void unknownFieldsArePassedOver() {
    HistoryEntry entry =
        line("{'f':0,'process':1,'node':{'a':[1]},'type':'ok','start':1,'end':2,'ops':[]}");
    assertThat(entry).isEqualTo(HistoryEntry.ok(1, 1, 2, List.of()));
  }

  @Test
  void readWithoutAnswerIsEmptyWhenCommittedAndLeftOutOtherwise() {
    String ops = "'start':1,'end':2,'ops':[['append','x',1],['r','x',null]]}";
    assertThat(line("{'process':1,'type':'ok'," + ops).ops()).contains(read("x"));
    assertThat(line("{'process':1,'type':'info'," + ops).ops())
        .containsExactly(new Op.Append("x", 1));
  }

  @Test
  void readOfAnUndecidedTransactionThatFoundNothingIsKept() {
    HistoryEntry entry = HistoryEntry.info(1, 1, 2, List.of(read("x")), null);
    assertThat(HistoryLine.read(HistoryLine.write(entry))).isEqualTo(entry);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{'process':1,'type':'ok','start':1,'end':2}",
        "{'process':1,'type':'ok','start':1,'ops':[]}",
        "{'process':1,'type':'maybe','start':1,'end':2,'ops':[]}",
        "{'process':1,'type':'ok','start':3,'end':2,'ops':[]}",
        "{'process':1,'type':'ok','start':1,'end':2,'ops':[['append','x']]}",
        "{'process':1,'type':'ok','start':1,'end':2,'ops':[['append','x',1.5]]}",
        "{'process':1,'type':'ok','start':1,'end':2,'ops':[['r','x',[1,'2']]]}",
        "{'process':1,'type':'ok','start':1,'end':2,'ops':[['w','x',1]]}",
        "{'process':1,'type':'ok','start':1,'end':2,'ops':[['delete',1,2]]}",
        "{'process':1,'type':'ok','start':1,'end':2,'ops':[]} {}",
        "{'process':1,'type':'ok','start':1,'end':99999999999999999999,'ops':[]}",
      })
  void whatIsNoEntryIsRefused(String text) {
    assertThatThrownBy(() -> line(text)).isInstanceOf(HistoryFormatException.class);
  }

  @Test
  void tornLastLineIsLeftOutWithANotice() {
    String torn = text(APPEND) + text(APPEND).substring(0, 30);
    try (HistoryReader reader = reader(torn)) {
      assertThat(reader.next()).isEqualTo(APPEND);
      assertThat(reader.next()).isNull();
      assertThat(reader.notices())
          .containsExactly("Line 2, the last, is torn (30 bytes): left out.");
    }
  }

  @Test
  void wholeLastLineNeedsNoEnd() {
    try (HistoryReader reader = reader(text(APPEND).strip())) {
      assertThat(reader.next()).isEqualTo(APPEND);
      assertThat(reader.next()).isNull();
      assertThat(reader.notices()).isEmpty();
    }
  }

  @Test
  void damagedLineInTheMiddleIsRefusedWithItsNumber() {
    try (HistoryReader reader = reader(text(APPEND) + "\n{\"process\":\n" + text(APPEND))) {
      assertThat(reader.next()).isEqualTo(APPEND);
      assertThatThrownBy(reader::next)
          .isInstanceOf(HistoryFormatException.class)
          .hasMessageStartingWith("Line 3 is no entry");
    }
  }

  @Test
  void linesLongerThanTheBufferAreReadWhole() {
    Longs many = Longs.of(IntStream.range(0, 100_000).asLongStream().toArray());
    HistoryEntry entry = HistoryEntry.ok(1, 1, 2, List.of(new Op.Read("x", many)));
    try (HistoryReader reader = reader(text(APPEND) + text(entry) + text(APPEND))) {
      assertThat(reader.next()).isEqualTo(APPEND);
      assertThat(reader.next()).isEqualTo(entry);
      assertThat(reader.next()).isEqualTo(APPEND);
      assertThat(reader.next()).isNull();
    }
  }

  @Test
  void entryIsInTheFileBeforeRecordReturns(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("h.jsonl");
    try (HistoryRecorder recorder = HistoryRecorder.create(file)) {
      recorder.record(APPEND);
      assertThat(Files.readString(file)).isEqualTo(text(APPEND));
      recorder.record(APPEND);
      assertThat(HistoryReader.readAll(file)).containsExactly(APPEND, APPEND);
    }
  }

  @Test
  void entriesOfManyThreadsDoNotMix() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<Thread> threads = new ArrayList<>();
    try (HistoryRecorder recorder = HistoryRecorder.to(out)) {
      for (int process = 0; process < 4; process++) {
        HistoryEntry entry = HistoryEntry.ok(process, 1, 2, APPEND.ops());
        Thread thread =
            new Thread(() -> IntStream.range(0, 500).forEach(i -> recorder.record(entry)));
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    int entries = 0;
    try (HistoryReader reader = reader(out.toString(UTF_8))) {
      while (reader.next() != null) {
        entries++;
      }
    }
    assertThat(entries).isEqualTo(2000);
  }

  @Test
  void clockRisesEvenWhenTheOneBeneathStands() {
    long[] nanos = {500};
    HistoryClock clock = new HistoryClock(() -> nanos[0], 1000);
    assertThat(clock.tick()).isEqualTo(1000);
    assertThat(clock.tick()).isEqualTo(1001);
    nanos[0] = 520;
    assertThat(clock.tick()).isEqualTo(1020);
  }

  /** Two processes whose first readings lie far apart. */
  @Test
  void sharedClocksAgreeWhenTheyWereMadeAtDifferentTimes() {
    long[] nanos = {500};
    HistoryClock first = HistoryClock.shared(() -> nanos[0]);
    nanos[0] = 700_000;
    HistoryClock second = HistoryClock.shared(() -> nanos[0]);
    assertThat(first.tick()).isEqualTo(second.tick()).isEqualTo(700_000);
    assertThat(first.tick()).isEqualTo(700_001);
  }

  private static Op read(String key) {
    return new Op.Read(key, Longs.EMPTY);
  }

  private static String text(HistoryEntry entry) {
    return new String(HistoryLine.write(entry), UTF_8);
  }

  private static HistoryEntry line(String text) {
    return HistoryLine.read(text.replace('\'', '"').getBytes(UTF_8));
  }

  private static HistoryReader reader(String text) {
    return HistoryReader.from(new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  /** What Elle takes: invocations and completions, as they came. */
  @Test
  void aHistoryOfListsIsWrittenAsJepsenDoes(@TempDir Path dir) throws IOException {
    List<HistoryEntry> entries =
        List.of(
            HistoryEntry.ok(
                0, 10, 30, List.of(new Op.Append("7", 1), new Op.Read("x", Longs.of(1, 2)))),
            HistoryEntry.info(1, 20, 40, List.of(new Op.Append("0\"7", 5)), "lost"),
            HistoryEntry.fail(2, 30, 50, List.of(new Op.Append("7", 9)), "conflict"));
    Path history = dir.resolve("h.jsonl");
    for (HistoryEntry each : entries) {
      Files.write(
          history, HistoryLine.write(each), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    EdnHistory.write(history, dir.resolve("h.edn"));
    assertThat(Files.readAllLines(dir.resolve("h.edn")))
        .containsExactly(
            "{:index 0, :type :invoke, :process 0, :time 10, :f :txn, :value [[:append 7 1] [:r \"x\" nil]]}",
            "{:index 1, :type :invoke, :process 1, :time 20, :f :txn, :value [[:append \"0\\\"7\" 5]]}",
            "{:index 2, :type :invoke, :process 2, :time 30, :f :txn, :value [[:append 7 9]]}",
            "{:index 3, :type :ok, :process 0, :time 30, :f :txn, :value [[:append 7 1] [:r \"x\" [1, 2]]]}",
            "{:index 4, :type :fail, :process 2, :time 50, :f :txn, :value [[:append 7 9]]}",
            "{:index 5, :type :info, :process 1, :time 50, :f :txn, :value [[:append \"0\\\"7\" 5]]}");
    Files.write(history, HistoryLine.write(HistoryEntry.ok(0, 60, 61, List.of(new Op.Insert(5)))));
    assertThatThrownBy(() -> EdnHistory.write(history, dir.resolve("h.edn")))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("Only histories of lists");
  }
}
