package io.braid.batch.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.batch.FailureCode;
import io.braid.batch.input.RawRecord;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A queue of bounded length, workers, and tries of each record by itself (4.1). Fault 42. */
class RecordSinkTest {
  private static final SystemSeams SEAMS = new SystemSeams();
  private static final int WORKERS = 3;
  private static final int BATCH = 10;

  /** How often each record was tried when it was logged. */
  private final Map<Long, Integer> logged = new ConcurrentHashMap<>();

  private final List<FailureCode> codes = new ArrayList<>();

  private RecordSink sink(RecordWriter writer, int batch, double least) {
    return sink(writer, batch, least, Rate.UNLIMITED);
  }

  private RecordSink sink(RecordWriter writer, int batch, double least, Rate rate) {
    return new RecordSink(
        "sink",
        SEAMS,
        writer,
        new SinkOptions(WORKERS, batch, 3, Duration.ofMillis(1)),
        new Throttle(SEAMS, rate),
        new SuccessWindow(SEAMS, Duration.ofMinutes(1), least),
        this::log);
  }

  private synchronized void log(RawRecord record, FailureCode code, int attempts, String detail) {
    logged.put(record.offset(), attempts);
    codes.add(code);
  }

  private static SinkRecord record(long number, int bytes) {
    Row row = new Row("t", Bytes.of("k" + "x".repeat(bytes)));
    return new SinkRecord(new RawRecord(number, Bytes.EMPTY), row, List.of());
  }

  private static WriteResult written() {
    return new WriteResult.Written(false);
  }

  private static List<WriteResult> allWritten(List<SinkRecord> records) {
    return records.stream().map(each -> written()).toList();
  }

  /** A store that does not answer fills no memory: who reads the input waits. */
  @Test
  void recordsThatWaitAreBounded() throws InterruptedException {
    CountDownLatch answers = new CountDownLatch(1);
    AtomicInteger put = new AtomicInteger();
    RecordSink sink =
        sink(
            records -> {
              try {
                answers.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return allWritten(records);
            },
            BATCH,
            0.9);
    Thread reader =
        new Thread(
            () -> {
              for (int i = 0; i < 1000 && sink.put(record(i, 1)); i++) {
                put.incrementAndGet();
              }
            });
    reader.start();
    // Those with the workers, twice as many batches that wait, and the one being filled.
    int most = BATCH * (WORKERS + 2 * WORKERS + 1);
    for (int i = 0; i < 2000 && put.get() < most - 1; i++) {
      Thread.sleep(10);
    }
    Thread.sleep(100);
    assertThat(put.get()).isEqualTo(most - 1);
    answers.countDown();
    reader.join();
    assertThat(sink.finish()).isEqualTo(new RecordSink.Tally(1000, 0, 0, 0));
  }

  @Test
  void aRateIsKept() {
    RecordSink sink = sink(RecordSinkTest::allWritten, BATCH, 0.9, Rate.parse("1000/s"));
    long begun = SEAMS.nanoTime();
    IntStream.range(0, 200).forEach(i -> sink.put(record(i, 1)));
    assertThat(sink.finish().written()).isEqualTo(200);
    assertThat(SEAMS.nanoTime() - begun).isGreaterThan(Duration.ofMillis(185).toNanos());
  }

  /** Large records make small batches. */
  @Test
  void aBatchIsBoundedInBytesToo() {
    List<Integer> sizes = new ArrayList<>();
    RecordSink sink =
        sink(
            records -> {
              synchronized (sizes) {
                sizes.add(records.size());
              }
              return allWritten(records);
            },
            1000,
            0.9);
    int bytes = (int) SinkOptions.BATCH_BYTES / 4;
    IntStream.range(0, 16).forEach(i -> sink.put(record(i, bytes)));
    assertThat(sink.finish().written()).isEqualTo(16);
    assertThat(sizes).hasSize(4).containsOnly(4);
  }

  @Test
  void eachRecordIsTriedByItselfAndWhatCannotSucceedOnce() {
    Map<Long, Integer> tries = new ConcurrentHashMap<>();
    RecordSink sink =
        sink(
            records ->
                records.stream()
                    .map(
                        each -> {
                          long number = each.raw().offset();
                          int tried = tries.merge(number, 1, Integer::sum);
                          return switch ((int) number) {
                            case 3 -> failed(FailureCode.TOO_LARGE);
                            case 4 -> failed(FailureCode.UNAVAILABLE);
                            case 5 -> tried < 3 ? failed(FailureCode.UNKNOWN) : written();
                            default -> written();
                          };
                        })
                    .toList(),
            BATCH,
            0.5);
    IntStream.range(0, 20).forEach(i -> sink.put(record(i, 1)));
    assertThat(sink.finish()).isEqualTo(new RecordSink.Tally(18, 0, 1, 1));
    assertThat(logged).isEqualTo(Map.of(3L, 1, 4L, 4));
    assertThat(codes).containsExactlyInAnyOrder(FailureCode.TOO_LARGE, FailureCode.UNAVAILABLE);
    assertThat(tries).containsEntry(3L, 1).containsEntry(4L, 4).containsEntry(5L, 3);
    assertThat(tries.values().stream().filter(n -> n > 1)).hasSize(2);
  }

  private static WriteResult failed(FailureCode code) {
    return new WriteResult.Failed(code, "as the test says");
  }

  /** A store that is away ends the task soon: it takes no more, and tries nothing again. */
  @Test
  void aSinkWhoseRecordsFailTakesNoMore() {
    RecordSink sink =
        sink(
            records -> records.stream().map(each -> failed(FailureCode.UNAVAILABLE)).toList(),
            BATCH,
            0.9);
    int put = 0;
    while (put < 100_000 && sink.put(record(put, 1))) {
      put++;
    }
    assertThat(put).isLessThan(500);
    RecordSink.Tally tally = sink.finish();
    assertThat(tally.left()).isBetween(100L, 500L).isEqualTo(logged.size());
    assertThat(tally.written()).isZero();
  }
}
