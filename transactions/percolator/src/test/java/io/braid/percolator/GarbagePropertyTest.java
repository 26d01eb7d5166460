package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.percolator.Intercepted.Call;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.percolator.rows.SnapshotRead;
import io.braid.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Faults 26 to 28, wholesale: transactions meet lost, late, refused and repeated calls and die at
 * any of them, while collections run, break off and go on. A snapshot that is open, or pinned,
 * reads the same before, during and after; one that nobody knew of reads the same or is refused. In
 * the end every call that was ever made arrives once more, and nothing changes.
 */
class GarbagePropertyTest {
  @Test
  void whatIsReadAtATimestampNeverChangesByACollection() {
    Seeds.each(40, seed -> new Run(seed).run());
  }

  private static final class Run {
    private final RandomGenerator random;
    private final Lab lab;
    private final PercolatorTransactions collector;
    private final Map<Long, List<String>> seen = new LinkedHashMap<>();
    private final List<Snapshot> open = new ArrayList<>();
    private final PercolatorTransactions stranger;
    private int pins;

    Run(long seed) {
      random = Seeds.random(seed);
      lab = new Lab(new Lab(seed % 2 == 0).options.smallValueBytes(3));
      collector = lab.process("collector");
      stranger = lab.process("stranger");
    }

    void run() {
      for (int i = 0; i < 8; i++) {
        lab.store.fate(call -> fate());
        live("p" + i);
        lab.store.heal();
        if (random.nextBoolean()) {
          look();
        }
        collect();
        check();
      }
      lab.store.release();
      check();
      repeatEverything();
      check();
      open.forEach(Snapshot::close);
      collector.pins().forEach(pin -> collector.unpin(pin.name()));
      lab.clocks.alive.retainAll(List.of("collector", "stranger"));
      finishCollecting();
      repeatEverything();
      finishCollecting();
      checkThatOnlyTheNewestIsLeft();
    }

    private void repeatEverything() {
      List<Call<?, ?>> calls = new ArrayList<>(lab.store.calls);
      for (int i = 0; i < calls.size(); i++) {
        Call<?, ?> call = calls.get(random.nextInt(calls.size()));
        if (!call.is(SnapshotRead.INSTANCE)) {
          call.run();
        }
      }
    }

    private Fate fate() {
      return switch (random.nextInt(16)) {
        case 0 -> Fate.LOSE;
        case 1 -> Fate.LOSE_ANSWER;
        case 2 -> Fate.HOLD;
        case 3 -> Fate.REFUSE;
        case 4 -> random.nextInt(3) == 0 ? Fate.CRASH : Fate.RUN;
        case 5 -> random.nextInt(3) == 0 ? Fate.CRASH_AFTER : Fate.RUN;
        default -> Fate.RUN;
      };
    }

    /** The life of a process: two transactions that interleave, unless it dies before. */
    private void live(String name) {
      PercolatorTransactions process = lab.process(name);
      try (Transaction first = process.begin();
          Transaction second = process.begin()) {
        write(first);
        write(second);
        commit(second);
        if (random.nextInt(4) == 0) {
          lab.store.heal();
          collect();
        }
        commit(first);
      } catch (Intercepted.Crash e) {
        // Dead in the middle of it.
      }
      if (random.nextInt(3) != 0) {
        lab.kill(name);
      }
      if (random.nextInt(3) == 0 && !lab.store.held.isEmpty()) {
        lab.store.held.remove(random.nextInt(lab.store.held.size())).run();
      }
    }

    private void write(Transaction tx) {
      for (int n = random.nextInt(1, 5); n > 0; n--) {
        Row row = row(String.valueOf((char) ('a' + random.nextInt(5))));
        switch (random.nextInt(6)) {
          case 0, 1 -> tx.delete(row, X);
          case 2 -> tx.lock(row, X);
          case 3 -> tx.set(row, Y, "y" + tx.timestamp());
          default -> tx.set(row, X, "x".repeat(random.nextInt(5)) + tx.timestamp());
        }
      }
    }

    private static void commit(Transaction tx) {
      try {
        tx.commit();
      } catch (TransactionException | StoreException e) {
        // Whatever it was: the cells tell.
      }
    }

    /** Looks at everything as it is now; whether the snapshot is kept is chance. */
    private void look() {
      Snapshot snapshot = lab.process("reader" + seen.size()).snapshot();
      List<String> rows = readAll(snapshot);
      seen.put(snapshot.timestamp(), rows);
      switch (random.nextInt(4)) {
        case 0 -> collector.pin("pin" + pins++, snapshot.timestamp());
        case 1, 2 -> open.add(collector.snapshotAt(snapshot.timestamp()));
        default -> {}
      }
      if (random.nextInt(3) == 0 && !open.isEmpty()) {
        open.remove(random.nextInt(open.size())).close();
      }
    }

    private void collect() {
      boolean whole = random.nextBoolean();
      int[] steps = {random.nextInt(4)};
      collector
          .collector()
          .collect(
              CollectionRequest.keep(Duration.ZERO),
              each -> check(),
              () -> !whole && steps[0]-- < 0);
    }

    private void finishCollecting() {
      for (int i = 0; i < 3; i++) {
        collector
            .collector()
            .collect(CollectionRequest.keep(Duration.ZERO), each -> {}, () -> false);
        lab.clocks.pass(60_000);
      }
    }

    private void check() {
      for (Snapshot snapshot : open) {
        assertThat(readAll(snapshot)).isEqualTo(seen.get(snapshot.timestamp()));
      }
      collector
          .pins()
          .forEach(
              pin -> {
                try (Snapshot pinned = collector.snapshotAt(pin.timestamp())) {
                  assertThat(readAll(pinned)).isEqualTo(seen.get(pin.timestamp()));
                }
              });
      seen.forEach(
          (timestamp, rows) -> {
            try (Snapshot past = stranger.snapshotAt(timestamp)) {
              assertThat(readAll(past)).isEqualTo(rows);
            } catch (TransactionException e) {
              assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD);
              assertThat(timestamp).isLessThan(lab.base.watermark());
            }
          });
    }

    private static List<String> readAll(Snapshot snapshot) {
      List<String> rows = new ArrayList<>();
      try (RowCursor cursor = snapshot.scan(Scan.of(Lab.TABLE).family("f"))) {
        cursor.forEachRemaining(row -> rows.add(row.toString()));
      }
      for (char key = 'a'; key < 'f'; key++) {
        rows.add(key + "=" + snapshot.get(row(String.valueOf(key)), X));
      }
      return rows;
    }

    private void checkThatOnlyTheNewestIsLeft() {
      List<String> cells = lab.cells();
      assertThat(cells).noneMatch(line -> line.contains("ROLLED_BACK"));
      assertThat(cells).noneMatch(line -> line.contains("intent"));
      assertThat(cells.stream().filter(line -> line.contains("commit of"))).hasSizeLessThan(11);
    }
  }
}
