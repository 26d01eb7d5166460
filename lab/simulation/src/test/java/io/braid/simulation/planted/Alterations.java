package io.braid.simulation.planted;

import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.WriteStage;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.RowAccess;
import io.braid.core.store.TabletClock;
import io.braid.percolator.rows.CollectRow;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.EndWriting;
import io.braid.percolator.rows.OnePhaseCommit;
import io.braid.percolator.rows.PercolatorAnswer;
import io.braid.percolator.rows.Prewrite;
import io.braid.percolator.rows.RollbackRow;
import io.braid.percolator.rows.SnapshotRead;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stores whose procedures do something else than they should. */
final class Alterations {
  private static final int FORGOTTEN = 10;
  private static final int BEHIND = 8;

  private Alterations() {}

  /** Writers do not see commits after their start. */
  static CellStore noConflictCheck(CellStore store) {
    return new AlteredStore(store)
        .with(
            Prewrite.INSTANCE,
            (original, rows, request) -> original.run(upTo(rows, request.start()), request))
        .with(
            OnePhaseCommit.INSTANCE,
            (original, rows, request) -> original.run(upTo(rows, request.start()), request));
  }

  static RowAccess upTo(RowAccess rows, long last) {
    return new ForwardingAccess(rows) {
      @Override
      public @Nullable Cell newest(Row row, ColumnName column, long maxVersion) {
        return rows.newest(row, column, Math.min(maxVersion, last));
      }
    };
  }

  /** Of a committed transaction every second row gets no commit record. */
  static CellStore halfRollForward(CellStore store) {
    return new AlteredStore(store)
        .with(
            CommitRow.INSTANCE,
            (original, rows, request) ->
                request.row().key().at(request.row().key().length() - 1) % 2 == 0
                    ? original.run(rows, request)
                    : RollbackRow.INSTANCE.run(
                        rows,
                        new RollbackRow.Request(
                            request.row(), request.epoch(), request.start(), request.weak())));
  }

  /** What should be removed becomes committed. */
  static CellStore abortedWriteVisible(CellStore store) {
    return new AlteredStore(store)
        .with(
            RollbackRow.INSTANCE,
            (original, rows, request) ->
                CommitRow.INSTANCE.run(
                    rows,
                    new CommitRow.Request(
                        request.row(),
                        request.epoch(),
                        request.start(),
                        request.start() + 1,
                        request.weak())));
  }

  /** Reads see an older snapshot than they should: one that was read before. */
  static CellStore staleSnapshot(CellStore store) {
    Deque<Long> snapshots = new ArrayDeque<>();
    return new AlteredStore(store)
        .with(
            SnapshotRead.INSTANCE,
            (original, rows, request) -> {
              if (!snapshots.contains(request.snapshot())) {
                snapshots.addLast(request.snapshot());
              }
              if (snapshots.size() > BEHIND) {
                snapshots.removeFirst();
              }
              long older = Math.min(snapshots.getFirst(), request.snapshot());
              return original.run(
                  rows,
                  new SnapshotRead.Request(
                      request.row(), request.columns(), older, request.passOver()));
            });
  }

  /** Every tenth commit is acknowledged but not done. */
  static CellStore lostAcknowledgedWrite(CellStore store) {
    int[] commits = new int[1];
    return new AlteredStore(store)
        .with(
            CommitPrimary.INSTANCE,
            (original, rows, request) ->
                ++commits[0] % FORGOTTEN == 0
                    ? new PercolatorAnswer.Committed(request.commit())
                    : original.run(rows, request))
        .with(
            OnePhaseCommit.INSTANCE,
            (original, rows, request) ->
                ++commits[0] % FORGOTTEN == 0
                    ? drawn(rows.clock().next(request.start()))
                    : original.run(rows, request));
  }

  private static PercolatorAnswer drawn(long commit) {
    return commit == TabletClock.EXHAUSTED
        ? PercolatorAnswer.EXHAUSTED
        : new PercolatorAnswer.Committed(commit);
  }

  /** Readers do not look for locks. */
  static CellStore locksIgnored(CellStore store) {
    return new AlteredStore(store)
        .with(
            SnapshotRead.INSTANCE,
            (original, rows, request) -> original.run(withoutIntents(rows), request));
  }

  private static RowAccess withoutIntents(RowAccess rows) {
    return new ForwardingAccess(rows) {
      @Override
      public List<Cell> family(Row row, String family, Bytes qualifierPrefix) {
        return family.equals(Families.INTENT)
            ? List.of()
            : super.family(row, family, qualifierPrefix);
      }
    };
  }

  /** A prewrite does not look for the mark of its own rollback. */
  static CellStore markIgnored(CellStore store) {
    return new AlteredStore(store)
        .with(
            Prewrite.INSTANCE,
            (original, rows, request) -> original.run(withoutMarks(rows), request));
  }

  private static RowAccess withoutMarks(RowAccess rows) {
    return new ForwardingAccess(rows) {
      @Override
      public List<Cell> family(Row row, String family, Bytes qualifierPrefix) {
        return super.family(row, family, qualifierPrefix).stream()
            .filter(cell -> !family.equals(Families.INTENT) || !isMark(cell))
            .toList();
      }
    };
  }

  private static boolean isMark(Cell cell) {
    return Intent.decode(cell.value()).kind() == Intent.Kind.ROLLED_BACK;
  }

  /** The owner of a lock that is gone believes that it has committed. */
  static CellStore commitWithoutLock(CellStore store) {
    return new AlteredStore(store)
        .with(
            CommitPrimary.INSTANCE,
            (original, rows, request) -> {
              PercolatorAnswer answer = original.run(rows, request);
              return answer instanceof PercolatorAnswer.RolledBack
                  ? new PercolatorAnswer.Committed(request.commit())
                  : answer;
            });
  }

  /** One-phase commits take the version after their start, whatever was read meanwhile. */
  static CellStore clockIgnoresReaders(CellStore store) {
    return new AlteredStore(store)
        .with(
            OnePhaseCommit.INSTANCE,
            (original, rows, request) -> original.run(carelessClock(rows, 0), request));
  }

  /** The versions of the clock come after what is asked for, or after {@code instead}. */
  static RowAccess carelessClock(RowAccess rows, long instead) {
    return new ForwardingAccess(rows) {
      @Override
      public TabletClock clock() {
        return new TabletClock() {
          @Override
          public long next(long atLeast) {
            long version = (instead == 0 ? atLeast : instead) + 1;
            raise(version); // which does not lower it
            return version;
          }

          @Override
          public void raise(long version) {
            rows.clock().raise(version);
          }
        };
      }
    };
  }

  /** Who reads below the low watermark is not told. */
  static CellStore watermarkIgnored(CellStore store) {
    CellStore altered =
        new AlteredStore(store)
            .with(
                SnapshotRead.INSTANCE,
                (original, rows, request) -> original.run(withoutWatermark(rows), request));
    return new ForwardingStore(altered) {
      @Override
      public long watermark() {
        return 0;
      }
    };
  }

  private static RowAccess withoutWatermark(RowAccess rows) {
    return new ForwardingAccess(rows) {
      @Override
      public long watermark() {
        return 0;
      }
    };
  }

  /** A collection takes what a snapshot at the watermark reads. */
  static CellStore collectsTooMuch(CellStore store) {
    return new AlteredStore(store)
        .with(
            CollectRow.INSTANCE,
            (original, rows, request) -> {
              for (CollectRow.Part part : request.columns()) {
                Cell newest = rows.newest(request.row(), part.column(), request.horizon());
                if (newest != null) {
                  rows.delete(request.row(), part.column(), newest.version());
                }
              }
              return original.run(rows, request);
            });
  }

  /** Whatever round a prewrite is of, it counts as the latest. */
  static CellStore lateRoundWins(CellStore store) {
    int[] round = new int[1];
    return new AlteredStore(store)
        .with(
            Prewrite.INSTANCE,
            (original, rows, request) ->
                original.run(
                    rows,
                    new Prewrite.Request(
                        request.mutation(),
                        request.start(),
                        request.primary(),
                        request.owner(),
                        request.wallMillis(),
                        request.stage().round() == 0
                            ? WriteStage.ONLY
                            : new WriteStage(++round[0], request.stage().open()))));
  }

  /** That all is written is said to its owner, and to nobody else. */
  static CellStore readPastACommit(CellStore store) {
    return new AlteredStore(store)
        .with(EndWriting.INSTANCE, (original, rows, request) -> PercolatorAnswer.PREWRITTEN);
  }

  /** A change counts as a dead letter, but its record is lost. */
  static CellStore lostDeadLetter(CellStore store) {
    return new AlteredStore(store).with("observers.park-change", AlteredStore::mute);
  }

  /** Notifications go whether the column has changed since the observers looked or not. */
  static CellStore clearedUncompared(CellStore store) {
    return new AlteredStore(store)
        .with(
            "observers.clear-notifications",
            rows ->
                new ForwardingAccess(rows) {
                  @Override
                  public long newestAbove(Row row, ColumnName column, long version) {
                    return 0;
                  }
                });
  }

  /** What was notified since the observers looked goes, too. */
  static CellStore clearedUnseen(CellStore store) {
    return new AlteredStore(store)
        .with(
            "observers.clear-notifications",
            rows ->
                new ForwardingAccess(rows) {
                  @Override
                  public void delete(Row row, ColumnName column, long version) {
                    for (Cell cell : rows.versions(row, column, 0, Long.MAX_VALUE, 100)) {
                      rows.delete(row, column, cell.version());
                    }
                  }
                });
  }

  /** Who makes intents commit records does not tell the clock of the tablet. */
  static CellStore unraisedByPercolator(CellStore store) {
    return new AlteredStore(store).with("percolator.commit-row", Alterations::unraised);
  }

  static RowAccess unraised(RowAccess rows) {
    return new ForwardingAccess(rows) {
      @Override
      public TabletClock clock() {
        return new TabletClock() {
          @Override
          public long next(long atLeast) {
            return rows.clock().next(atLeast);
          }

          @Override
          public void raise(long version) {}
        };
      }
    };
  }

  /** Scans do not ask whether what they read may have been collected meanwhile. */
  static CellStore scansUnchecked(CellStore store) {
    return new ForwardingStore(store) {
      @Override
      public long watermark() {
        return 0;
      }
    };
  }
}
