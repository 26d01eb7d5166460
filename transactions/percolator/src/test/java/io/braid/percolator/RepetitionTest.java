package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.percolator.Intercepted.Call;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.rows.SnapshotRead;
import io.braid.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Faults 8 to 14, wholesale: transactions meet lost, late, refused and repeated calls and die at
 * any of them. When everything is decided, every call that was ever made arrives once more, in any
 * order, and nothing that can be read at any time changes.
 */
class RepetitionTest {
  @Test
  void whatIsDecidedStaysDecidedHoweverOftenCallsAreRepeated() {
    Seeds.each(80, seed -> new Run(seed).run());
  }

  private static final class Run {
    private final RandomGenerator random;
    private final Lab lab;
    private final Set<Long> times = new TreeSet<>();

    Run(long seed) {
      random = Seeds.random(seed);
      lab = new Lab(new Lab(seed % 2 == 0).options.smallValueBytes(3));
    }

    void run() {
      lab.store.fate(call -> fate());
      for (int i = 0; i < 12; i++) {
        live("p" + i);
      }
      lab.store.heal();
      lab.clocks.alive.clear();
      PercolatorTransactions reader = lab.process("reader");
      times.add(reader.snapshot().timestamp());
      readAll(reader);
      lab.store.release();
      List<String> before = readAll(reader);
      List<Call<?, ?>> calls = new ArrayList<>(lab.store.calls);
      for (int i = 0; i < calls.size(); i++) {
        Call<?, ?> call = calls.get(random.nextInt(calls.size()));
        if (!call.is(SnapshotRead.INSTANCE)) {
          call.run();
        }
      }
      assertThat(readAll(lab.process("another"))).isEqualTo(before);
    }

    private Fate fate() {
      return switch (random.nextInt(14)) {
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
        times.add(first.timestamp());
        write(first);
        write(second);
        commit(second);
        commit(first);
      } catch (Intercepted.Crash e) {
        // Dead in the middle of it.
      }
      if (random.nextBoolean()) {
        lab.clocks.alive.stream().skip(1).findFirst().ifPresent(lab::kill);
      }
      if (random.nextInt(3) == 0 && !lab.store.held.isEmpty()) {
        lab.store.held.remove(random.nextInt(lab.store.held.size())).run();
      }
    }

    private void write(Transaction tx) {
      for (int n = random.nextInt(1, 5); n > 0; n--) {
        Row row = row(String.valueOf((char) ('a' + random.nextInt(8))) + random.nextInt(2));
        switch (random.nextInt(6)) {
          case 0 -> tx.delete(row, X);
          case 1 -> tx.lock(row, X);
          case 2 -> tx.set(row, Y, "y" + tx.timestamp());
          default -> tx.set(row, X, "x".repeat(random.nextInt(5)) + tx.timestamp());
        }
      }
    }

    private void commit(Transaction tx) {
      try {
        times.add(tx.commit());
      } catch (TransactionException | StoreException e) {
        // Whatever it was: the cells tell.
      }
    }

    private List<String> readAll(PercolatorTransactions reader) {
      List<String> seen = new ArrayList<>();
      for (long time : times) {
        try (Snapshot snapshot = reader.snapshotAt(time);
            RowCursor cursor = snapshot.scan(Scan.of(Lab.TABLE).family("f"))) {
          cursor.forEachRemaining(row -> seen.add(time + ": " + row));
        }
      }
      return seen;
    }
  }
}
