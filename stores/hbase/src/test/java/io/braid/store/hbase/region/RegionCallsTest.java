package io.braid.store.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.RowWrite;
import io.braid.store.hbase.wire.BlindWrite;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.Reply.Item;
import io.braid.store.hbase.wire.Reply.Status;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Faults 22 and 25: what a region server that stood still, or whose log failed, tells of writes.
 */
class RegionCallsTest {
  private final FakeRegion region = new FakeRegion();
  private final RegionCalls calls = new RegionCalls(region.open, new ProcedureCatalog());
  private int written;

  private Status write() {
    BlindWrite procedure = new BlindWrite();
    RowWrite write =
        RowWrite.put(
            Row.of(FakeRegion.TABLE, "r"), new Cell(ColumnName.of("f", "q"), 1, Bytes.of("v")));
    Call.Execute call =
        new Call.Execute(
            FakeRegion.TABLE,
            procedure.name(),
            Durability.SYNCED,
            List.of(procedure.argumentCodec().encode(write)));
    try {
      return calls.execute(call, snapshot -> {}).get(0).status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fault 67: whoever reads many long values asks again for those that are left. */
  @Test
  void anAnswerThatIsLongIsSentAndTheRestIsAskedForAgain() throws IOException {
    Row row = Row.of(FakeRegion.TABLE, "r");
    int half = (int) RegionCalls.LONG / 2 + 1;
    Procedure<Long, Bytes> procedure = new LongAnswers(row, half);
    ProcedureCatalog catalog = new ProcedureCatalog();
    catalog.add(procedure);
    List<Bytes> arguments =
        LongStream.range(0, 5).mapToObj(procedure.argumentCodec()::encode).toList();
    Call.Execute call =
        new Call.Execute(FakeRegion.TABLE, procedure.name(), Durability.BUFFERED, arguments);

    List<Item> items = new RegionCalls(region.open, catalog).execute(call, snapshot -> {});

    assertThat(items)
        .extracting(Item::status)
        .containsExactly(
            Status.DONE, Status.DONE, Status.UNAVAILABLE, Status.UNAVAILABLE, Status.UNAVAILABLE);
  }

  private void standStill() {
    region.nanos.addAndGet(Duration.ofSeconds(9).toNanos());
  }

  @AfterEach
  void locksAreReleased() {
    assertThat(region.locked).isZero();
  }

  @Test
  void aWriteIsAcknowledgedWhileTheLeaseLasts() {
    region.log = () -> written++;

    assertThat(write()).isEqualTo(Status.DONE);
    assertThat(written).isEqualTo(1);
  }

  @Test
  void aWriteDuringWhichTheLeaseEndedIsUnknown() {
    region.log = this::standStill;

    assertThat(write()).isEqualTo(Status.UNKNOWN);
  }

  @Test
  void nothingIsWrittenAfterTheLease() {
    region.log = () -> written++;
    standStill();

    assertThat(write()).isEqualTo(Status.UNAVAILABLE);
    assertThat(written).isZero();
  }

  @Test
  void aServerWhoseLogFailedStopsAndIsTrustedNoMore() {
    region.log =
        () -> {
          throw new IOException("sync failed");
        };

    assertThat(write()).isEqualTo(Status.UNKNOWN);
    assertThat(region.aborts).singleElement().asString().contains("log");
    assertThat(region.open.lease().isTrusted()).isFalse();
    region.open.lease().refresh();
    assertThat(region.open.lease().isTrusted()).isFalse();
  }

  @Test
  void aServerThatRefusesBeforeItLogsGoesOn() {
    for (IOException refusal :
        List.of(
            new NotServingRegionException("closing"),
            new RegionTooBusyException("full"),
            new DoNotRetryIOException("a hook refused"),
            new InterruptedIOException("closing"))) {
      region.log =
          () -> {
            throw refusal;
          };

      assertThat(write()).isIn(Status.UNAVAILABLE, Status.UNKNOWN);
    }
    assertThat(region.aborts).isEmpty();
    assertThat(region.open.lease().isTrusted()).isTrue();
  }

  /** Answers so many bytes, whatever it is asked. */
  private record LongAnswers(Row row, int bytes) implements Procedure<Long, Bytes> {
    @Override
    public String name() {
      return "long-answers";
    }

    @Override
    public List<Row> rows(Long argument) {
      return List.of(row);
    }

    @Override
    public Bytes run(RowAccess rows, Long argument) {
      return Bytes.wrap(new byte[bytes]);
    }

    @Override
    public Codec<Long> argumentCodec() {
      return Codecs.int64();
    }

    @Override
    public Codec<Bytes> resultCodec() {
      return Codecs.bytes();
    }
  }
}
