package io.braid.simulation.planted;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.time.Timestamp;
import io.braid.omid.manager.TransactionManager;
import io.braid.omid.manager.WriteSet;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.DecideEntry;
import io.braid.omid.rows.FastWrite;
import io.braid.omid.rows.OmidAnswer;
import io.braid.omid.rows.PostCommit;
import io.braid.omid.rows.ReadRow;
import io.braid.omid.rows.WriteTentative;
import io.braid.simulation.cluster.Tampering;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Stores and managers that do something else than Omid's protocol needs. */
final class OmidAlterations {
  private OmidAlterations() {}

  /** The manager grants a commit in spite of these refusals. */
  static Tampering grants(TransactionManager.Verdict refusal) {
    return new Tampering() {
      @Override
      public Surroundings tamper(Surroundings honest) {
        return honest;
      }

      @Override
      public TransactionManager manager(TransactionManager honest, int before) {
        return new Generous(honest, refusal);
      }
    };
  }

  private record Generous(TransactionManager manager, Verdict refusal)
      implements TransactionManager {
    @Override
    public BegunTransaction begin() {
      return manager.begin();
    }

    @Override
    public BegunTransaction enter(long timestamp) {
      return manager.enter(timestamp);
    }

    @Override
    public Verdict commit(WriteSet writes) {
      Verdict verdict = manager.commit(writes);
      if (verdict != refusal) {
        return verdict;
      }
      WriteSet late = new WriteSet().reset(Long.MAX_VALUE);
      for (int i = 0; i < writes.size(); i++) {
        late.add(writes.cell(i));
      }
      Verdict granted = manager.commit(late);
      writes.answered(late);
      return granted;
    }

    @Override
    public long fence(long table) {
      return manager.fence(table);
    }

    @Override
    public long lowWatermark() {
      return manager.lowWatermark();
    }
  }

  /** Readers do not look for tentative cells. */
  static CellStore tentativeIgnored(CellStore store) {
    return new AlteredStore(store)
        .with(
            ReadRow.INSTANCE,
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

  /** A reader takes an undecided transaction for invalid, but does not say so in the entry. */
  static CellStore invalidationNotWritten(CellStore store) {
    return new AlteredStore(store)
        .with(
            DecideEntry.INSTANCE,
            (original, rows, request) ->
                original.run(
                    request.commit() == CommitEntries.INVALID ? AlteredStore.mute(rows) : rows,
                    request));
  }

  /** The client's proposal replaces a reader's. */
  static CellStore proposalOverrides(CellStore store) {
    return new AlteredStore(store)
        .with(
            DecideEntry.INSTANCE,
            (original, rows, request) -> {
              long stands = original.run(rows, request);
              if (stands == CommitEntries.INVALID && request.commit() != CommitEntries.INVALID) {
                return original.run(withoutEntry(rows), request);
              }
              return stands;
            });
  }

  private static RowAccess withoutEntry(RowAccess rows) {
    return new ForwardingAccess(rows) {
      @Override
      public @Nullable Cell at(Row row, ColumnName column, long version) {
        return null;
      }
    };
  }

  /** Who takes a transaction for invalid does not look whether it has committed meanwhile. */
  static CellStore noSecondLook(CellStore store) {
    return new AlteredStore(store)
        .with(
            ReadRow.INSTANCE,
            (original, rows, request) ->
                original.run(
                    withoutRecords(
                        rows,
                        start ->
                            request
                                .known()
                                .contains(
                                    new ReadRow.KnownTransaction(start, CommitEntries.INVALID))),
                    request));
  }

  private static RowAccess withoutRecords(RowAccess rows, LongPredicate starts) {
    return new ForwardingAccess(rows) {
      @Override
      public @Nullable Cell newest(Row row, ColumnName column, long maxVersion) {
        Cell cell = super.newest(row, column, maxVersion);
        while (cell != null
            && starts.test(CommitRecord.decode(cell.value(), cell.version()).start())) {
          cell = super.newest(row, column, cell.version() - 1);
        }
        return cell;
      }
    };
  }

  /** The post-commit leaves every third row as it is, and the entry goes all the same. */
  static CellStore entryRemovedTooEarly(CellStore store) {
    int[] rows = new int[1];
    return new AlteredStore(store)
        .with(
            PostCommit.INSTANCE,
            (original, access, request) ->
                ++rows[0] % 3 == 0 ? OmidAnswer.DONE : original.run(access, request));
  }

  /** A client asks the manager although it does not know whether its cells were written. */
  static CellStore tentativeNotAwaited(CellStore store) {
    return new ForwardingStore(store) {
      @Override
      @SuppressWarnings("unchecked") // an answer for an answer
      public <A, R> List<Outcome<R>> execute(
          Procedure<A, R> procedure, List<A> arguments, Durability durability) {
        List<Outcome<R>> honest = store.execute(procedure, arguments, durability);
        if (procedure != (Procedure<?, ?>) WriteTentative.INSTANCE) {
          return honest;
        }
        List<Outcome<R>> told = new ArrayList<>();
        for (Outcome<R> each : honest) {
          told.add(
              each instanceof Outcome.Unknown<R>
                  ? (Outcome<R>) Outcome.done(OmidAnswer.DONE)
                  : each);
        }
        return told;
      }
    };
  }

  /** Regular writes do not look for commits of the fast path: nobody else knows those. */
  static CellStore fastWritesUnseen(CellStore store) {
    return new AlteredStore(store)
        .with(
            WriteTentative.INSTANCE,
            (original, rows, request) ->
                original.run(withoutRecords(rows, start -> Timestamp.local(start) != 0), request));
  }

  /** A fast write does not look for tentative cells. */
  static CellStore fastWriteOverTentative(CellStore store) {
    return new AlteredStore(store)
        .with(
            FastWrite.INSTANCE,
            (original, rows, request) -> original.run(withoutIntents(rows), request));
  }

  /** A fast write takes the version after the newest one, whatever was read meanwhile. */
  static CellStore fastWriteBelowReaders(CellStore store) {
    return new AlteredStore(store)
        .with(
            FastWrite.INSTANCE,
            (original, rows, request) -> {
              long newest = 0;
              for (CellWrite write : request.mutation().cells()) {
                Cell cell = rows.newest(request.mutation().row(), write.column(), Timestamp.MAX);
                newest = Math.max(newest, cell == null ? 0 : cell.version());
              }
              long before = newest;
              return before == 0
                  ? original.run(rows, request)
                  : original.run(Alterations.carelessClock(rows, before), request);
            });
  }

  /** A fast write that is executed again does not recognise itself. */
  static CellStore fastWriteAgain(CellStore store) {
    long[] runs = new long[1];
    return new AlteredStore(store)
        .with(
            FastWrite.INSTANCE,
            (original, rows, request) ->
                original.run(
                    rows,
                    new FastWrite.Request(
                        request.mutation(), ++runs[0] << 8 | 1, FastWrite.ANY, request.atLeast())));
  }

  /** Who makes tentative cells commit records does not tell the clock of the tablet. */
  static CellStore unraised(CellStore store) {
    return new AlteredStore(store).with("omid.post-commit", Alterations::unraised);
  }
}
