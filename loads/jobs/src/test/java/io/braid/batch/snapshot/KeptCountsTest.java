package io.braid.batch.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.atomic.AtomicLoad;
import io.braid.batch.atomic.StageWriter;
import io.braid.batch.input.RawRecord;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.job.RecordCounts;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.SinkRecord;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Transaction;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What others write while a load is under way that becomes visible as a whole: exact record counts.
 */
class KeptCountsTest extends SnapshotLoads {
  private static final int READ = KEYS + 7;
  private static final RecordCounts KEPT = new RecordCounts(READ, KEYS + 1 - 3, 3, 6, 0, 0);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Others write now and then; remembers what they wrote if it shall. */
  private static final class Shared extends ForwardingStore {
    private final Set<Bytes> written = new ConcurrentSkipListSet<>();
    private final boolean remembers;
    private boolean asked;
    Runnable atLastStep = () -> {};
    boolean diesWhenCounting;
    int scansForNew;
    boolean heldOff;
    long lowestWhileHeldOff = Long.MAX_VALUE;

    Shared(CellStore store, boolean remembers) {
      super(store);
      this.remembers = remembers;
    }

    @Override
    public void rememberWrites(String table, LongSupplier fresh) {
      asked = true;
    }

    @Override
    public Optional<Set<Bytes>> rowsWritten(String table, long from, long to) {
      if (diesWhenCounting && heldOff) {
        throw new StoreException("dead");
      }
      return remembers && asked ? Optional.of(Set.copyOf(written)) : Optional.empty();
    }

    @Override
    public RowScanner scan(ScanRequest request) {
      if (request.selections().get(0).minVersion() > 0) {
        scansForNew++;
        if (heldOff) {
          lowestWhileHeldOff =
              Math.min(lowestWhileHeldOff, request.selections().get(0).minVersion());
        }
      }
      return super.scan(request);
    }

    /** The step after which nobody writes below the load any more. */
    private void lastStep() {
      Runnable step = atLastStep;
      atLastStep = () -> {};
      step.run();
    }

    @Override
    public Lift lift(
        String table, long version, long start, long epoch, String family, LiftCheck check) {
      heldOff = true;
      lastStep();
      return super.lift(table, version, start, epoch, family, check);
    }

    @Override
    public void raiseEpoch(String table, long epoch) {
      heldOff = true;
      lastStep();
      super.raiseEpoch(table, epoch);
    }
  }

  private static void writeAll(Bench bench, Shared store, String key, String value) {
    // A table under a new epoch is learnt of by a conflict.
    for (boolean done = false; !done; ) {
      try (Transaction tx = bench.transactions.begin()) {
        tx.set(Bench.row(key), Bench.column("x"), value);
        tx.set(Bench.row(key), Bench.column("y"), value);
        tx.commit();
        done = true;
      } catch (ConflictException e) {
        assertThat(e).hasMessageContaining("epoch");
      }
    }
    store.written.add(Bytes.of(key));
  }

  private static void writeOne(Bench bench, Shared store, String key, String value) {
    write(bench, key, value);
    store.written.add(Bytes.of(key));
  }

  private static void deleteAll(Bench bench, Shared store, String key) {
    try (Transaction tx = bench.transactions.begin()) {
      tx.delete(Bench.row(key), Bench.column("x"));
      tx.delete(Bench.row(key), Bench.column("y"));
      tx.commit();
    }
    store.written.add(Bytes.of(key));
  }

  private static LoadOptions atomic(Conflicts conflicts) {
    return options(Algorithm.STANDARD, conflicts).atomically();
  }

  private static LoadOptions how(Algorithm algorithm, Conflicts conflicts) {
    return algorithm == Algorithm.STANDARD ? atomic(conflicts) : options(algorithm, conflicts);
  }

  static Stream<Arguments> all() {
    return Stream.of(
            Algorithm.STANDARD,
            Algorithm.IMPORT_SORT,
            Algorithm.HADOOP_SORT,
            Algorithm.VANILLA_SORT)
        .flatMap(
            each ->
                Stream.of(false, true)
                    .flatMap(
                        omid ->
                            Stream.of(
                                Arguments.of(each, omid, false), Arguments.of(each, omid, true))));
  }

  /** Two records wholly, one in part, one deleted; before, beside and just before the commit. */
  private static void othersWrite(Bench bench, Shared store) {
    writeAll(bench, store, key(2), "mine");
    writeOne(bench, store, key(4), "half");
    writeAll(bench, store, "elsewhere", "mine");
    store.atLastStep =
        () -> {
          writeAll(bench, store, key(5), "late");
          deleteAll(bench, store, key(6));
          writeOne(bench, store, key(3), "half");
        };
  }

  private static Map<String, String> expectedKept() {
    Map<String, String> expected = expected();
    expected.put(key(2), "x=mine y=mine");
    expected.put(key(4), "x=half y=4");
    expected.put(key(5), "x=late y=late");
    expected.remove(key(6));
    expected.put(key(3), "x=half y=");
    expected.put("elsewhere", "x=mine y=mine");
    return expected;
  }

  @ParameterizedTest
  @MethodSource("all")
  void recordsThatOthersWroteMeanwhileAreCountedAsKept(
      Algorithm algorithm, boolean omid, boolean remembers) throws IOException {
    try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
      Shared store = new Shared(bench.memory, remembers);
      write(bench, key(1), "old");
      LoadJob job = job(over(bench, store), "j", how(algorithm, Conflicts.NEWER));
      othersWrite(bench, store);
      JobReport report = job.run(JobView.NONE);
      writeAll(bench, store, key(9), "after");
      Map<String, String> expected = expectedKept();
      expected.put(key(9), "x=after y=after");
      assertThat(bench.table()).isEqualTo(expected);
      assertThat(report.counts()).isEqualTo(KEPT);
      assertThat(
              LoadJob.open(bench.context, dir.resolve("jobs"), "j").directory().report().counts())
          .isEqualTo(report.counts());
      assertThat(store.scansForNew > 0).isEqualTo(!remembers);
    }
  }

  /** Without memory, a staged load looks at what is old before writers are held off. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whileWritersWaitOnlyWhatTheyWroteLastIsLookedAt(boolean omid) throws IOException {
    try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
      Shared store = new Shared(bench.memory, false);
      LoadJob job = job(over(bench, store), "j", atomic(Conflicts.NEWER));
      othersWrite(bench, store);
      JobReport report = job.run(JobView.NONE);
      assertThat(report.counts()).isEqualTo(KEPT);
      assertThat(store.lowestWhileHeldOff).isGreaterThan(job.spec().start() + 1);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void aLoadThatWinsKeepsNothing(Algorithm algorithm, boolean omid, boolean remembers)
      throws IOException {
    try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
      Shared store = new Shared(bench.memory, remembers);
      LoadJob job = job(over(bench, store), "j", how(algorithm, Conflicts.LOAD));
      othersWrite(bench, store);
      assertThat(job.run(JobView.NONE).counts())
          .isEqualTo(new RecordCounts(READ, KEYS + 1, 0, 6, 0, 0));
      assertThat(bench.table()).containsEntry(key(2), "x=L2 y=2").containsEntry(key(5), "x=L5 y=5");
      assertThat(store.scansForNew).isZero();
    }
  }

  /** Whatever was told of it before, a load that is gone on with is counted once. */
  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"STANDARD", "IMPORT_SORT", "HADOOP_SORT", "VANILLA_SORT"})
  void nothingIsCountedTwiceWhenTheLoadBreaksOff(Algorithm algorithm) throws IOException {
    for (boolean counting : List.of(false, true)) {
      try (Bench bench = new Bench(false, ChangeSink.NONE)) {
        Shared store = new Shared(bench.memory, true);
        store.diesWhenCounting = counting;
        LoadJob job = job(over(bench, store), "j" + counting, how(algorithm, Conflicts.NEWER));
        othersWrite(bench, store);
        CellStore dies = counting ? store : diesWhenSettling(store);
        LoadJob first = LoadJob.open(over(bench, dies), dir.resolve("jobs"), "j" + counting);
        assertThatThrownBy(() -> first.run(JobView.NONE)).isInstanceOf(StoreException.class);
        store.diesWhenCounting = false;
        // Above the commit, if there was one.
        if (first.directory().state().message().startsWith("committed")) {
          writeAll(bench, store, key(8), "after");
        }
        LoadJob again = LoadJob.open(bench.context, dir.resolve("jobs"), "j" + counting);
        JobReport report = again.run(JobView.NONE);
        assertThat(report.state().phase()).isEqualTo(JobState.Phase.DONE);
        assertThat(report.counts()).isEqualTo(KEPT);
      }
    }
  }

  /** What bars a load by files from becoming visible does not bar one that is. */
  @Test
  void aLoadThatIsVisibleComesToItsEndThoughTheChangesOfItsTableAreKeptSince() throws IOException {
    try (Bench bench = new Bench(false, ChangeSink.NONE)) {
      Shared store = new Shared(bench.memory, true);
      LoadJob job = job(over(bench, store), "j", options(Algorithm.IMPORT_SORT, Conflicts.NEWER));
      othersWrite(bench, store);
      store.diesWhenCounting = true;
      assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessage("dead");
      assertThat(job.directory().state().message()).startsWith("committed");
      store.diesWhenCounting = false;
      bench.keepChanges();
      JobReport report = job.run(JobView.NONE);
      assertThat(report.state().phase()).isEqualTo(JobState.Phase.DONE);
      assertThat(report.counts()).isEqualTo(KEPT);
    }
  }

  /** Once it has committed, it looks at the pins no more, and its process is gone. */
  private static CellStore diesWhenSettling(Shared store) {
    return new ForwardingStore(store) {
      private boolean committed;

      @Override
      public Lift lift(
          String table, long version, long start, long epoch, String family, LiftCheck check) {
        committed = true;
        return super.lift(table, version, start, epoch, family, check);
      }

      @Override
      public io.braid.core.store.Veils veils(String table) {
        die();
        return super.veils(table);
      }

      @Override
      public <A, R> List<io.braid.core.store.Outcome<R>> execute(
          io.braid.core.store.Procedure<A, R> procedure,
          List<A> arguments,
          io.braid.core.store.Durability durability) {
        if (procedure.name().equals("loads.settle-row")) {
          committed = true;
          die();
        }
        return super.execute(procedure, arguments, durability);
      }

      private void die() {
        if (committed) {
          throw new StoreException("dead");
        }
      }
    };
  }

  /** A staged load that committed below another one, and whose rows are not settled. */
  @Test
  void whatAnotherLoadCommittedBelowCountsThoughItIsNotSettled() throws IOException {
    try (Bench bench = new Bench(false, ChangeSink.NONE)) {
      Shared store = new Shared(bench.memory, false);
      LoadJob job = job(over(bench, store), "j", options(Algorithm.IMPORT_SORT, Conflicts.NEWER));
      long start = bench.oracle.next();
      AtomicLoad other =
          new AtomicLoad(bench.context, "o", Bench.TABLE, start, Conflicts.NEWER, PATIENCE);
      other.begin();
      new StageWriter(bench.context, "o", start, Conflicts.NEWER)
          .write(List.of(record(key(3)), record(key(7))));
      other.commit();
      JobReport report = job.run(JobView.NONE);
      assertThat(bench.table()).containsEntry(key(7), "x=staged y=staged");
      assertThat(report.counts()).isEqualTo(new RecordCounts(READ, KEYS + 1 - 2, 2, 6, 0, 0));
    }
  }

  private static SinkRecord record(String key) {
    List<CellWrite> cells =
        Stream.of("x", "y")
            .map(Bench::column)
            .map(column -> new CellWrite(column.name(), Intent.Kind.PUT, Bytes.of("staged"), false))
            .toList();
    return new SinkRecord(new RawRecord(0, Bytes.EMPTY), Bench.row(key), cells);
  }
}
