package io.braid.testkit.contract;

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
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.testkit.CellText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A way in which a store can be wrong, and the law that tells. */
enum Defect {
  READ_FORGETS_ITS_SNAPSHOT("readMissesNoLocalCommitBelowItsSnapshot", ForgetfulReads::new),
  SCAN_FORGETS_ITS_SNAPSHOT("snapshotOfAnEmptyScanRaisesTheClockToo", ForgetfulScans::new),
  CLOCK_IS_WARM_FROM_THE_START("coldClockDrawsNothing", Defect::warm),
  LOCAL_COMMIT_IS_APPLIED_LATE("readMissesNoLocalCommitBelowItsSnapshot", LateCommits::new),
  DELETE_TAKES_OLDER_VERSIONS("deleteTouchesNoOtherVersionColumnFamilyOrRow", GreedyDeletes::new),
  DELETE_TAKES_OLDER_VERSIONS_UNNOTICED(
      "randomCallsAreAnsweredAsTheModelAnswersThem", GreedyDeletes::new),
  ROW_IS_WRITTEN_IN_PIECES("rowsAreSeenWholeWhileWritesReplaceThem", TornWrites::new),
  BATCH_IS_ANSWERED_IN_REVERSE("batchIsAnsweredInTheOrderOfItsArguments", ReversedAnswers::new),
  THROWING_PROCEDURE_WRITES("throwingProcedureLeavesNothing", StubbornProcedures::new),
  PROCEDURE_SEES_ITS_OWN_WRITES("readsDoNotSeeTheProceduresOwnWrites", OwnWrites::new),
  EPOCH_IS_READ_BEFORE_THE_LOCK("noProcedureOfAnOlderEpochRunsAfterTheRaise", EarlyEpochs::new),
  WATERMARK_IS_READ_BEFORE_THE_LOCK(
      "noProcedureThatWasShownAnOlderWatermarkRunsAfterTheRaise", EarlyWatermarks::new),
  INGEST_TAKES_FILES_ONE_BY_ONE("truncatedFilesAreRefused", PiecemealIngest::new),
  INGEST_SHOWS_FILES_ONE_BY_ONE("filesOfOneIngestShowAtOneInstant", PiecemealIngest::new),
  SCAN_LOSES_FIRST_ROWS_OF_TABLETS("splitLosesNoCell", BorderScans::new),
  READ_ANSWERS_FROM_A_CACHE("answeredVersionsAreSeenByEveryCallThatFollows", CachedReads::new),
  SCAN_SEES_OLD_ROWS("scanMissesNoRowThatWasAnsweredBeforeItBegan", CachedRows::new),
  PROCEDURE_WRITES_OUTSIDE_THE_LOCK(
      "noProcedureWritesWhatItReadBeforeABlindWriteWasAnswered", LateCommits::new),
  INGEST_WRITES_BACK_WHAT_IT_READ("ingestLosesNoWriteThatIsAnsweredMeanwhile", CopyingIngest::new),
  LARGE_CALL_IS_CUT_SHORT("callsMayHoldManyItems", ShortCalls::new),
  WIDE_ROW_IS_CUT_SHORT("rowsMayBeWide", ShortRows::new),
  CLOSE_DOES_NOTHING("closedStoreRefusesEveryCall", Unclosable::new);

  /** The test that fails. */
  final String law;

  final UnaryOperator<CellStore> plant;

  Defect(String law, UnaryOperator<CellStore> plant) {
    this.law = law;
    this.plant = plant;
  }

  private static CellStore warm(CellStore store) {
    store.advanceClock(StoreUnderTest.T);
    return store;
  }

  private static final class ForgetfulReads extends ForwardingStore {
    ForgetfulReads(CellStore store) {
      super(store);
    }

    @Override
    public List<RowCells> read(List<RowRead> requests) {
      return super.read(
          requests.stream().map(r -> new RowRead(r.row(), r.selections(), 0)).toList());
    }
  }

  private static final class ForgetfulScans extends ForwardingStore {
    ForgetfulScans(CellStore store) {
      super(store);
    }

    @Override
    public RowScanner scan(ScanRequest request) {
      return super.scan(request.at(0));
    }
  }

  private static final class GreedyDeletes extends ForwardingStore {
    GreedyDeletes(CellStore store) {
      super(store);
    }

    @Override
    public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
      return super.write(writes.stream().map(this::greedy).toList(), durability);
    }

    private RowWrite greedy(RowWrite write) {
      List<RowWrite.Removal> removals = new ArrayList<>();
      for (RowWrite.Removal removal : write.removals()) {
        Selection older = Selection.column(removal.column()).upTo(removal.version());
        for (Cell cell : store.read(RowRead.of(write.row(), older)).cells()) {
          removals.add(new RowWrite.Removal(cell.column(), cell.version()));
        }
      }
      return new RowWrite(write.row(), write.puts(), removals);
    }
  }

  private static final class TornWrites extends ForwardingStore {
    TornWrites(CellStore store) {
      super(store);
    }

    @Override
    public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
      for (RowWrite write : writes) {
        super.write(List.of(new RowWrite(write.row(), List.of(), write.removals())), durability);
        for (Cell cell : write.puts()) {
          Thread.yield();
          super.write(List.of(RowWrite.put(write.row(), cell)), durability);
        }
      }
      return Collections.nCopies(writes.size(), Outcome.done());
    }
  }

  private static final class ReversedAnswers extends ForwardingStore {
    ReversedAnswers(CellStore store) {
      super(store);
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      List<Outcome<R>> outcomes = new ArrayList<>(super.execute(procedure, arguments, durability));
      Collections.reverse(outcomes);
      return outcomes;
    }
  }

  private static final class PiecemealIngest extends ForwardingStore {
    PiecemealIngest(CellStore store) {
      super(store);
    }

    @Override
    public void ingest(String table, String family, List<Path> files) {
      for (Path file : files) {
        super.ingest(table, family, List.of(file));
        Thread.yield();
      }
    }
  }

  private static final class BorderScans extends ForwardingStore {
    BorderScans(CellStore store) {
      super(store);
    }

    @Override
    public RowScanner scan(ScanRequest request) {
      Set<Bytes> borders = new HashSet<>();
      store.tablets(request.table()).forEach(tablet -> borders.add(tablet.range().start()));
      borders.remove(Bytes.EMPTY);
      RowScanner scanner = super.scan(request);
      return new RowScanner() {
        @Override
        public @Nullable RowCells next() {
          RowCells row = scanner.next();
          while (row != null && borders.contains(row.row().key())) {
            row = scanner.next();
          }
          return row;
        }

        @Override
        public void close() {
          scanner.close();
        }
      };
    }
  }

  private static final class Unclosable extends ForwardingStore {
    Unclosable(CellStore store) {
      super(store);
    }

    @Override
    public void close() {}
  }

  /** A store that runs procedures with other hands on their rows. */
  private abstract static class Meddling extends ForwardingStore {
    Meddling(CellStore store) {
      super(store);
    }

    abstract RowAccess meddle(RowAccess rows, Row first);

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      return super.execute(
          new ForwardingProcedure<>(procedure) {
            @Override
            public R run(RowAccess rows, A argument) {
              return procedure.run(meddle(rows, procedure.rows(argument).get(0)), argument);
            }
          },
          arguments,
          durability);
    }
  }

  private static final class OwnWrites extends Meddling {
    OwnWrites(CellStore store) {
      super(store);
    }

    @Override
    RowAccess meddle(RowAccess rows, Row first) {
      Map<String, Cell> own = new HashMap<>();
      return new ForwardingAccess(rows) {
        @Override
        public @Nullable Cell at(Row row, ColumnName column, long version) {
          Cell written = own.get(row + " " + column + "@" + version);
          return written == null ? super.at(row, column, version) : written;
        }

        @Override
        public void put(Row row, ColumnName column, long version, Bytes value) {
          own.put(row + " " + column + "@" + version, new Cell(column, version, value));
          super.put(row, column, version, value);
        }
      };
    }
  }

  /** Draws a version under the row's lock and stores the cell only afterwards. */
  private static final class LateCommits extends ForwardingStore {
    LateCommits(CellStore store) {
      super(store);
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      List<RowWrite> late = new ArrayList<>();
      List<Outcome<R>> outcomes =
          super.execute(
              new ForwardingProcedure<>(procedure) {
                @Override
                public R run(RowAccess rows, A argument) {
                  return procedure.run(
                      new ForwardingAccess(rows) {
                        @Override
                        public void put(Row row, ColumnName column, long version, Bytes value) {
                          late.add(RowWrite.put(row, new Cell(column, version, value)));
                        }
                      },
                      argument);
                }
              },
              arguments,
              durability);
      Thread.yield();
      super.write(late, durability);
      return outcomes;
    }
  }

  private static final class EarlyEpochs extends ForwardingStore {
    EarlyEpochs(CellStore store) {
      super(store);
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      long epoch = store.epoch(StoreUnderTest.TABLE);
      Thread.yield();
      return super.execute(
          new ForwardingProcedure<>(procedure) {
            @Override
            public R run(RowAccess rows, A argument) {
              return procedure.run(
                  new ForwardingAccess(rows) {
                    @Override
                    public long epoch(String table) {
                      return epoch;
                    }
                  },
                  argument);
            }
          },
          arguments,
          durability);
    }
  }

  private static final class EarlyWatermarks extends ForwardingStore {
    EarlyWatermarks(CellStore store) {
      super(store);
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      long watermark = store.watermark();
      Thread.yield();
      return super.execute(
          new ForwardingProcedure<>(procedure) {
            @Override
            public R run(RowAccess rows, A argument) {
              return procedure.run(
                  new ForwardingAccess(rows) {
                    @Override
                    public long watermark() {
                      return watermark;
                    }
                  },
                  argument);
            }
          },
          arguments,
          durability);
    }
  }

  private static final class StubbornProcedures extends ForwardingStore {
    StubbornProcedures(CellStore store) {
      super(store);
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      List<RuntimeException> thrown = new ArrayList<>();
      List<Outcome<R>> outcomes =
          super.execute(
              new ForwardingProcedure<>(procedure) {
                @Override
                public R run(RowAccess rows, A argument) {
                  try {
                    return procedure.run(rows, argument);
                  } catch (RuntimeException e) {
                    thrown.add(e);
                    return procedure.resultCodec().decode(Bytes.ofInts(0));
                  }
                }
              },
              arguments,
              durability);
      if (!thrown.isEmpty()) {
        throw thrown.get(0);
      }
      return outcomes;
    }
  }

  /** Looks a row up every other time only. */
  private static final class CachedReads extends ForwardingStore {
    private final Map<List<RowRead>, List<RowCells>> cache = new ConcurrentHashMap<>();

    CachedReads(CellStore store) {
      super(store);
    }

    @Override
    public List<RowCells> read(List<RowRead> requests) {
      List<RowCells> cached = cache.remove(requests);
      if (cached != null) {
        return cached;
      }
      List<RowCells> rows = super.read(requests);
      cache.put(requests, rows);
      return rows;
    }
  }

  /** Gives the rows that the scan before has found. */
  private static final class CachedRows extends ForwardingStore {
    private volatile List<RowCells> before = List.of();

    CachedRows(CellStore store) {
      super(store);
    }

    @Override
    public RowScanner scan(ScanRequest request) {
      List<RowCells> found = new ArrayList<>();
      try (RowScanner scanner = super.scan(request)) {
        for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
          found.add(row);
        }
      }
      Iterator<RowCells> rows = before.iterator();
      before = found;
      return new RowScanner() {
        @Override
        public @Nullable RowCells next() {
          return rows.hasNext() ? rows.next() : null;
        }

        @Override
        public void close() {}
      };
    }
  }

  /** Takes the rest of the family away and puts back what it read before. */
  private static final class CopyingIngest extends ForwardingStore {
    CopyingIngest(CellStore store) {
      super(store);
    }

    @Override
    public void ingest(String table, String family, List<Path> files) {
      Set<String> before = new HashSet<>(CellText.dump(store, table));
      super.ingest(table, family, files);
      Thread.yield();
      for (String line : CellText.dump(store, table)) {
        Cell cell = CellText.cell(line);
        if (!before.contains(line) && cell.column().qualifier().startsWith(Bytes.of("w"))) {
          Row row = new Row(table, CellText.rowKey(line));
          super.write(
              List.of(RowWrite.remove(row, cell.column(), cell.version())), Durability.BUFFERED);
        }
      }
    }
  }

  private static final class ShortCalls extends ForwardingStore {
    ShortCalls(CellStore store) {
      super(store);
    }

    @Override
    public List<RowCells> read(List<RowRead> requests) {
      List<RowCells> rows = new ArrayList<>(super.read(requests));
      for (int i = 4096; i < rows.size(); i++) {
        rows.set(i, new RowCells(requests.get(i).row(), List.of()));
      }
      return rows;
    }
  }

  private static final class ShortRows extends ForwardingStore {
    ShortRows(CellStore store) {
      super(store);
    }

    @Override
    public List<RowCells> read(List<RowRead> requests) {
      return super.read(requests).stream()
          .map(row -> new RowCells(row.row(), row.cells().stream().limit(4096).toList()))
          .toList();
    }
  }
}
