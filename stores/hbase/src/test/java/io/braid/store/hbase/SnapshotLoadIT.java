package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.job.RecordCounts;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.snapshot.Algorithm;
import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.Veils.Veil;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Snapshot;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.TableMarks;
import io.braid.store.hbase.wire.VeilRecord;
import io.braid.store.hbase.wire.WatermarkCell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults 44 and 45 where regions are many: loads by files become visible at one timestamp. */
class SnapshotLoadIT {
  private static final AtomicInteger NAMED = new AtomicInteger();
  private static final Column<String> NAME = Column.of("f", "name", Codecs.utf8());
  private static final int ROWS = 300;

  @TempDir Path dir;

  private final HBaseOptions options =
      HBaseOptions.DEFAULT.withNamespace("snapshotload" + NAMED.incrementAndGet());
  private final AtomicBoolean dies = new AtomicBoolean();
  private final HBaseStore store = HBaseStore.connect(LocalCluster.configuration(), options);
  private final Braid db = Braid.over(new Dying(store), BraidConfig.defaults());

  @AfterEach
  void close() {
    db.close();
  }

  /** The driver of a load dies when all regions wait for its lift. */
  private final class Dying extends ForwardingStore {
    Dying(CellStore inner) {
      super(inner);
    }

    @Override
    public Lift lift(
        String table, long version, long start, long epoch, String family, LiftCheck check) {
      if (dies.get()) {
        closeAll(table, version);
        throw new IllegalStateException("killed");
      }
      return super.lift(table, version, start, epoch, family, check);
    }
  }

  /** What a lift does before it decides. */
  private void closeAll(String table, long version) {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(LocalCluster.configuration()).join()) {
      TableName name = TableName.valueOf(options.namespace(), table);
      TableMarks marks =
          Objects.requireNonNull(TableMarks.of(connection.getAdmin().getDescriptor(name).join()));
      VeilRecords records =
          new VeilRecords(connection.getTable(WatermarkCell.table(options.namespace())), options);
      VeilRecord record = Objects.requireNonNull(records.get(marks.id(), version));
      assertThat(records.replace(marks.id(), record, record.close())).isTrue();
      Tables.KnownTable known =
          new Tables.KnownTable(name, Families.transactional(table, List.of("f")), marks, 0, 0);
      VeilCalls.Answer answer =
          new VeilCalls(new RegionClient(connection, options), options)
              .tell(known, new Call.Veils(table, marks.id(), version, record.attempt() + 1, 0));
      assertThat(answer.reached()).isPositive();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Row row(int i) {
    return Row.of("people", String.format("%05d", i));
  }

  private LoadJob job(String id, String more) throws IOException {
    return job(id, more, LoadOptions.DEFAULT.by(Algorithm.VANILLA_SORT));
  }

  private LoadJob job(String id, String more, LoadOptions options) throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 0; i < ROWS; i++) {
      text.append(row(i).key().toUtf8()).append(",loaded\n");
    }
    return LoadJob.create(
        db.loads(),
        dir.resolve("jobs"),
        id,
        "people",
        List.of(Files.writeString(dir.resolve(id + ".csv"), text + more)),
        Mapping.ofFamily(List.of("id"), "f"),
        options);
  }

  private void people(Protocol protocol) {
    db.ensureTable("people", protocol, "f");
    db.store().splitTablet("people", row(ROWS / 2).key());
    write(1, "before");
  }

  private void write(int i, String name) {
    db.run(
        tx -> {
          tx.set(row(i), NAME, name);
          return i;
        });
  }

  private int loaded(Snapshot at) {
    int rows = 0;
    try (RowCursor cursor = at.scan(io.braid.core.transaction.Scan.of("people").column(NAME))) {
      while (cursor.hasNext()) {
        rows += cursor.next().get(NAME).orElse("").equals("loaded") ? 1 : 0;
      }
    }
    return rows;
  }

  private int loaded() {
    try (Snapshot now = db.snapshot()) {
      return loaded(now);
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void allRegionsShowALoadAtOnce(Protocol protocol) throws Exception {
    people(protocol);
    LoadJob job = job("j", "");
    try (Snapshot before = db.snapshot()) {
      write(2, "meanwhile");
      JobReport report = job.run(JobView.NONE);
      assertThat(report.state().phase()).isEqualTo(JobState.Phase.DONE);
      assertThat(report.counts()).isEqualTo(new RecordCounts(ROWS, ROWS - 1, 1, 0, 0, 0));
      assertThat(loaded(before)).isZero();
      assertThat(before.get(row(1), NAME)).contains("before");
    }
    // What others wrote after the load began stays.
    assertThat(loaded()).isEqualTo(ROWS - 1);
    try (Snapshot now = db.snapshot()) {
      assertThat(now.get(row(2), NAME)).contains("meanwhile");
      assertThat(now.get(row(1), NAME)).contains("loaded");
    }
    write(1, "after");
    try (Snapshot now = db.snapshot()) {
      assertThat(now.get(row(1), NAME)).contains("after");
    }
    assertThat(loaded()).isEqualTo(ROWS - 2);
  }

  /** Files have versions up to some timestamp here: what is new is found by them. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void theRecordCountsTellWhatOthersWroteBesideAnAtomicLoad(Protocol protocol) throws Exception {
    people(protocol);
    LoadJob job = job("j", "", LoadOptions.DEFAULT.atomically());
    write(2, "meanwhile");
    write(ROWS + 5, "elsewhere");
    assertThat(job.run(JobView.NONE).counts())
        .isEqualTo(new RecordCounts(ROWS, ROWS - 1, 1, 0, 0, 0));
    assertThat(loaded()).isEqualTo(ROWS - 1);
  }

  @Test
  void anAbortedLoadIsSeenByNobodyAndLeavesNothing() throws Exception {
    people(Protocol.PERCOLATOR);
    LoadJob job = job("j", ",has no key\n");
    assertThat(job.run(JobView.NONE).state().phase()).isNotEqualTo(JobState.Phase.DONE);
    assertThat(loaded()).isZero();
    assertThat(cells()).isGreaterThan(ROWS);

    job.cancel();

    assertThat(loaded()).isZero();
    assertThat(cells()).isOne();
    write(3, "after");
    try (Snapshot now = db.snapshot()) {
      assertThat(now.get(row(3), NAME)).contains("after");
    }
  }

  /** What HBase holds of the table, veiled or not. */
  private int cells() throws IOException {
    int cells = 0;
    try (Connection connection = ConnectionFactory.createConnection(LocalCluster.configuration());
        Table table = connection.getTable(TableName.valueOf(options.namespace(), "people"));
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result result : scanner) {
        cells += result.size();
      }
    }
    return cells;
  }

  @Test
  void aLoadWhoseDriverDiedInItsLiftIsGivenUpByReadersAndResumed() throws Exception {
    people(Protocol.PERCOLATOR);
    LoadJob job = job("j", "");
    dies.set(true);
    try {
      job.run(JobView.NONE);
    } catch (RuntimeException e) {
      assertThat(e).hasMessageContaining("killed");
    }

    // Regions wait for the lift for a while, and then go on without.
    assertThat(loaded()).isZero();
    write(4, "meanwhile");
    dies.set(false);
    JobReport report = LoadJob.open(db.loads(), dir.resolve("jobs"), "j").run(JobView.NONE);

    assertThat(report.state().phase()).isEqualTo(JobState.Phase.DONE);
    assertThat(loaded()).isEqualTo(ROWS - 1);
    List<Veil> veils = db.store().veils("people").all();
    assertThat(veils).singleElement().matches(Veil::isLifted);
  }
}
