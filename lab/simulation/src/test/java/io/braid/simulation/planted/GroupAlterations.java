package io.braid.simulation.planted;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.cells.HoldPass;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.RowAccess;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogEntry;
import io.braid.groups.protocol.Envelope;
import io.braid.groups.protocol.Message;
import io.braid.groups.protocol.ProtocolNode;
import io.braid.groups.protocol.Transition;
import io.braid.groups.protocol.Yield;
import io.braid.groups.rows.AppendLog;
import io.braid.groups.rows.RenewLease;
import io.braid.groups.rows.TakeHold;
import io.braid.percolator.rows.OnePhaseCommit;
import io.braid.percolator.rows.Prewrite;
import io.braid.simulation.cluster.Tampering;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores, logs, shippers and messages that do something else than key groups need. */
final class GroupAlterations {
  private GroupAlterations() {}

  // At the rows.

  /** A join takes a row whoever holds it. */
  static CellStore holdsOverlooked(CellStore store) {
    return new AlteredStore(store)
        .with(TakeHold.INSTANCE, (original, rows, a) -> original.run(withoutHolds(rows), a));
  }

  /** Writers outside do not look for holds. */
  static CellStore outsidersLetIn(CellStore store) {
    return new AlteredStore(store)
        .with(
            Prewrite.INSTANCE,
            (original, rows, a) ->
                original.run(a.mutation().pass().isNone() ? withoutHolds(rows) : rows, a))
        .with(
            OnePhaseCommit.INSTANCE,
            (original, rows, a) ->
                original.run(a.mutations().get(0).pass().isNone() ? withoutHolds(rows) : rows, a));
  }

  private static RowAccess withoutHolds(RowAccess rows) {
    return new ForwardingAccess(rows) {
      @Override
      public List<Cell> family(Row row, String family, Bytes qualifierPrefix) {
        return super.family(row, family, qualifierPrefix).stream()
            .filter(cell -> !cell.column().equals(Families.hold()))
            .toList();
      }
    };
  }

  /** Who takes a group over does not wait for the lease of its leader. */
  static CellStore leaseNotAwaited(CellStore store) {
    return new ForwardingStore(store) {
      @Override
      public List<RowCells> read(List<RowRead> requests) {
        List<RowCells> rows = super.read(requests);
        return requests.get(0).row().key().startsWith(RenewLease.row("").key())
            ? rows.stream().map(row -> new RowCells(row.row(), List.of())).toList()
            : rows;
      }
    };
  }

  /** The sweep frees every row that is held. */
  static CellStore sweepUnchecked(CellStore store) {
    return new ForwardingStore(store) {
      @Override
      public RowScanner scan(ScanRequest request) {
        RowScanner scanner = super.scan(request);
        return request.selections().equals(List.of(Selection.column(Families.hold())))
            ? new OfGhosts(scanner)
            : scanner;
      }
    };
  }

  /** Shows holds as those of a group that nobody knows. */
  private record OfGhosts(RowScanner scanner) implements RowScanner {
    @Override
    public @Nullable RowCells next() {
      RowCells row = scanner.next();
      return row == null
          ? null
          : new RowCells(row.row(), row.cells().stream().map(OfGhosts::ghost).toList());
    }

    private static Cell ghost(Cell cell) {
      Hold hold = Hold.of(Intent.decode(cell.value()));
      Hold ghost = new Hold("nobody's", hold.number(), hold.epoch(), hold.leader());
      return new Cell(cell.column(), cell.version(), ghost.encode());
    }

    @Override
    public void close() {
      scanner.close();
    }
  }

  // The log.

  /** A leader that was taken for dead goes on to add to its groups' logs. */
  static CellStore logUnfenced(CellStore store) {
    return new AlteredStore(store)
        .with(
            AppendLog.INSTANCE,
            (original, rows, a) ->
                original.run(
                    new ForwardingAccess(rows) {
                      @Override
                      public @Nullable Cell at(Row row, ColumnName column, long version) {
                        return column.equals(AppendLog.fence())
                            ? null
                            : super.at(row, column, version);
                      }
                    },
                    a));
  }

  /** Commits are acknowledged before they are in the log. */
  static Tampering acknowledgedBeforeLogged() {
    return log(
        honest ->
            new ForwardingLog(honest) {
              @Override
              public void force(Ticket ticket) {}
            });
  }

  /** Who takes a group over does not look into its log. */
  static Tampering takenOverWithoutLog() {
    return log(
        honest ->
            new ForwardingLog(honest) {
              @Override
              public List<LogEntry> read(long group, long after) {
                return List.of();
              }
            });
  }

  /** Something else than the log of a node. */
  static Tampering log(UnaryOperator<GroupLog> change) {
    return groups(
        base ->
            new GroupLeader.Base(
                base.store(),
                base.oracle(),
                base.transactions(),
                base.seams(),
                change.apply(base.log()),
                base.context()));
  }

  // The shipper.

  /** A batch is shipped by two transactions. */
  static Tampering batchTorn() {
    return shipper(
        (base, pass) ->
            new AlteredShipping(base.transactions(), pass) {
              @Override
              long ship(List<Write> writes) {
                int first = writes.size() > 2 ? 1 : 0;
                commit(writes.subList(0, first));
                return commit(writes.subList(first, writes.size()));
              }
            });
  }

  /** A deletion does not wait until all is shipped: each batch is, when the next one comes. */
  static Tampering deletionDoesNotWait() {
    return groups(
        base -> {
          Map<HoldPass, List<AlteredShipping.Write>> last = new ConcurrentHashMap<>();
          return shippedBy(
              base,
              (honest, pass) ->
                  new AlteredShipping(honest.transactions(), pass) {
                    @Override
                    long ship(List<Write> writes) {
                      commit(last.getOrDefault(pass, List.of()));
                      last.put(pass, List.copyOf(writes));
                      return 1;
                    }
                  });
        });
  }

  private static Tampering shipper(AlteredShipping.Of shipping) {
    return groups(base -> shippedBy(base, shipping));
  }

  private static GroupLeader.Base shippedBy(GroupLeader.Base base, AlteredShipping.Of shipping) {
    return new GroupLeader.Base(
        base.store(),
        base.oracle(),
        AlteredShipping.transactions(base, shipping),
        base.seams(),
        base.log(),
        base.context());
  }

  private static Tampering groups(UnaryOperator<GroupLeader.Base> change) {
    return new Tampering() {
      @Override
      public Surroundings tamper(Surroundings honest) {
        return honest;
      }

      @Override
      public GroupLeader.Base groups(GroupLeader.Base honest) {
        return change.apply(honest);
      }
    };
  }

  // The protocol.

  /** A JAA counts for whatever yield the follower waits for (figure 5). */
  static Tampering yieldIdsUnchecked() {
    return new Tampering() {
      @Override
      public Surroundings tamper(Surroundings honest) {
        return honest;
      }

      @Override
      public Envelope message(Envelope honest, ProtocolNode receiver) {
        return honest.message() instanceof Message.JoinAckAck ack
            ? new Envelope(honest.from(), honest.to(), anyYield(ack, receiver))
            : honest;
      }
    };
  }

  private static Message anyYield(Message.JoinAckAck ack, ProtocolNode receiver) {
    Map<Row, Yield> awaited = new HashMap<>();
    for (Transition each : receiver.checkpoint()) {
      if (each instanceof Transition.Yielding yielding && yielding.group().equals(ack.group())) {
        yielding.yields().forEach(yield -> awaited.put(yield.key(), yield));
      }
    }
    List<Yield> yields = new ArrayList<>();
    ack.yielded().forEach(yield -> yields.add(awaited.getOrDefault(yield.key(), yield)));
    return new Message.JoinAckAck(ack.group(), yields);
  }
}
