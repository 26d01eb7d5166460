package io.braid.batch.snapshot;

import static io.braid.batch.Bench.interrupted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.JobException;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.RecordCounts;
import io.braid.batch.rows.Conflicts;
import io.braid.core.cells.Families;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.ChangeSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Loads by files that break off: dead, interrupted, damaged or cancelled. Faults 44, 46 and 61. */
class BrokenSnapshotLoadTest extends SnapshotLoads {
  /** Fault 44: whatever step dies, all or nothing is visible, and the job can be gone on with. */
  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"IMPORT_SORT", "HADOOP_SORT", "VANILLA_SORT"})
  void aLoadThatDiesAnywhereIsTakenToItsEnd(Algorithm algorithm) throws IOException {
    boolean alive = false;
    for (int dead = 1; !alive; dead += dead < 4 ? 1 : 5) {
      try (Bench bench = new Bench(dead % 2 == 0, OBSERVED)) {
        Mortal mortal = new Mortal(bench.memory);
        mortal.last = dead;
        mortal.after = dead % 3 == 0;
        LoadJob job = job(over(bench, mortal), "j" + dead, options(algorithm, Conflicts.NEWER));
        write(bench, key(2), "mine");
        try {
          alive = job.run(JobView.NONE).state().phase() == JobState.Phase.DONE;
        } catch (StoreException | JobException e) {
          assertThat(bench.table()).as("dead at %d", dead).hasSizeBetween(1, KEYS + 1);
          assertThat(bench.table().size()).isIn(1, KEYS + 1);
        }
        Map<String, String> expected = expected();
        expected.put(key(2), "x=mine y=2");
        if (!alive) {
          LoadJob again = LoadJob.open(bench.context, dir.resolve("jobs"), "j" + dead);
          JobReport report = again.run(JobView.NONE);
          assertThat(report.state().phase()).isEqualTo(JobState.Phase.DONE);
          assertThat(report.counts()).isEqualTo(new RecordCounts(KEYS + 7, KEYS + 1, 0, 6, 0, 0));
        }
        assertThat(bench.table()).as("dead at %d", dead).isEqualTo(expected);
      }
    }
  }

  /** A region that moves while a veil is lifted: the answer is lost, whether or not it was done. */
  @Test
  void aLiftWhoseAnswerIsLostIsAskedForAgain() throws IOException {
    for (boolean done : List.of(false, true)) {
      try (Bench bench = new Bench(false, OBSERVED)) {
        AtomicInteger lifts = new AtomicInteger();
        CellStore moving =
            new ForwardingStore(bench.memory) {
              @Override
              public Lift lift(
                  String table,
                  long version,
                  long start,
                  long epoch,
                  String family,
                  LiftCheck check) {
                if (lifts.incrementAndGet() < 3) {
                  if (done) {
                    super.lift(table, version, start, epoch, family, check);
                  }
                  throw new TabletUnavailableException("moved, on purpose");
                }
                return super.lift(table, version, start, epoch, family, check);
              }
            };
        LoadJob job =
            job(over(bench, moving), "j" + done, options(Algorithm.HADOOP_SORT, Conflicts.NEWER));
        assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
        assertThat(bench.table()).isEqualTo(expected());
      }
    }
  }

  /** Fault 44: whoever is interrupted while imports are under way does not commit the load. */
  @Test
  void aJobThatIsInterruptedWhileItImportsCommitsNothing() throws Exception {
    try (Bench bench = new Bench(false, OBSERVED)) {
      CountDownLatch reached = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      Mortal mortal = new Mortal(bench.memory);
      mortal.atIngest =
          () -> {
            reached.countDown();
            try {
              ended.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          };
      LoadJob job = job(over(bench, mortal), "j", options(Algorithm.HADOOP_SORT, Conflicts.NEWER));
      assertThat(interrupted(job, reached)).hasMessageContaining("interrupted");
      assertThat(bench.table()).isEmpty();
      ended.countDown();
      mortal.atIngest = () -> {};
      assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
      assertThat(bench.table()).isEqualTo(expected());
    }
  }

  /** Others may take the job up: nothing of it is begun any more. */
  @Test
  void aJobThatIsInterruptedWhileItImportsBeginsNoMoreImports() throws Exception {
    try (Bench bench = new Bench(false, OBSERVED)) {
      CountDownLatch read = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      AtomicInteger begun = new AtomicInteger();
      Mortal mortal = new Mortal(bench.memory);
      mortal.atIngest =
          () -> {
            begun.incrementAndGet();
            try {
              ended.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          };
      LoadJob job = job(over(bench, mortal), "j", options(Algorithm.IMPORT_SORT, Conflicts.NEWER));
      int importers = 3;
      JobView view =
          progress -> {
            if (progress.phase().equals(JobView.IMPORT) && begun.get() == importers) {
              read.countDown();
            }
          };
      assertThat(interrupted(job, view, read)).hasMessageContaining("interrupted");
      assertThat(begun).hasValue(importers);
      ended.countDown();
      SnapshotLog log = new SnapshotLog(job.directory().round(0));
      while (log.imported().size() < importers) {
        Thread.sleep(1);
      }
      Thread.sleep(100);
      assertThat(log.imported()).hasSize(importers);
      assertThat(bench.table()).isEmpty();
      assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
      assertThat(bench.table()).isEqualTo(expected());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"IMPORT_SORT", "HADOOP_SORT", "VANILLA_SORT"})
  void aCancelledLoadIsNeverSeenAndItsSpaceIsReclaimed(Algorithm algorithm) throws IOException {
    try (Bench bench = new Bench(false, OBSERVED)) {
      Mortal mortal = new Mortal(bench.memory);
      mortal.last = 6;
      LoadJob job = job(over(bench, mortal), "j", options(algorithm, Conflicts.NEWER));
      assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessage("dead");
      mortal.last = Integer.MAX_VALUE;

      job.cancel();

      assertThat(job.directory().state().phase()).isEqualTo(JobState.Phase.CANCELLED);
      assertThat(bench.table()).isEmpty();
      assertThat(mortal.removed).isNotEmpty();
      assertThatThrownBy(
              () ->
                  bench.memory.lift(
                      Bench.TABLE,
                      job.spec().start(),
                      bench.oracle.next(),
                      bench.memory.epoch(Bench.TABLE),
                      Families.INTENT,
                      (row, veiled) -> false))
          .isInstanceOf(StoreException.class);
    }
  }

  /** Fault 46: nothing of a damaged snapshot gets into the store. */
  @Test
  void aDamagedSnapshotIsRefusedBeforeAnythingOfItIsImported() throws IOException {
    for (int damage = 0; damage < 4; damage++) {
      try (Bench bench = new Bench(false, ChangeSink.NONE)) {
        Mortal mortal = new Mortal(bench.memory);
        mortal.last = 2;
        LoadJob job =
            job(over(bench, mortal), "j" + damage, options(Algorithm.HADOOP_SORT, Conflicts.NEWER));
        assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessage("dead");
        Path snapshots = dir.resolve("jobs/j" + damage + "/round-0/snapshots");
        Path victim;
        try (Stream<Path> all = Files.list(snapshots)) {
          victim = all.filter(file -> file.toString().endsWith(".snap")).sorted().toList().get(1);
        }
        byte[] whole = Files.readAllBytes(victim);
        switch (damage) {
          case 0 -> Files.delete(victim);
          case 1 -> Files.write(victim, java.util.Arrays.copyOf(whole, whole.length / 2));
          case 2 -> Files.write(victim, new byte[0]);
          default -> {
            whole[whole.length / 2] ^= 4;
            Files.write(victim, whole);
          }
        }
        LoadJob again = LoadJob.open(bench.context, dir.resolve("jobs"), "j" + damage);
        assertThatThrownBy(() -> again.run(JobView.NONE)).isInstanceOf(JobException.class);
        assertThat(bench.table()).isEmpty();
        again.cancel();
        assertThat(bench.table()).isEmpty();
      }
    }
  }

  /** Faults 44 and 61: what tasks that are done have written is known, or the job says so. */
  @Test
  void aTornLogOfSnapshotsLosesNoTask() throws IOException {
    try (Bench bench = new Bench(false, ChangeSink.NONE)) {
      Mortal mortal = new Mortal(bench.memory);
      mortal.last = 2;
      LoadJob job = job(over(bench, mortal), "j", options(Algorithm.HADOOP_SORT, Conflicts.NEWER));
      Path round = Files.createDirectories(dir.resolve("jobs/j/round-0"));
      Files.writeString(round.resolve("snapshots.jsonl"), "{\"task\":1,\"snap");
      assertThatThrownBy(() -> job.run(JobView.NONE)).hasMessage("dead");
      mortal.last = Integer.MAX_VALUE;
      String log = Files.readString(round.resolve("snapshots.jsonl"));
      Files.writeString(
          round.resolve("snapshots.jsonl"), log.substring(0, log.trim().lastIndexOf('\n') + 1));
      assertThatThrownBy(() -> job.run(JobView.NONE))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("does not tell what tasks that are done have written");
      Files.writeString(round.resolve("snapshots.jsonl"), log);
      Files.writeString(round.resolve("imported.jsonl"), "{\"snapsh");
      assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
      assertThat(bench.table()).isEqualTo(expected());
    }
  }
}
