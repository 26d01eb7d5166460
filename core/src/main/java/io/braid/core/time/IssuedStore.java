package io.braid.core.time;

import io.braid.core.data.Cell;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A store that gets no timestamp above those that the oracle has given out, whether from a client,
 * a file or a record. A higher timestamp would raise a {@link io.braid.core.store.TabletClock}
 * above the oracle, for good. Commits there would be acknowledged at versions that no snapshot
 * reads, and refused ever after. Every call of a database goes through this class, so that no
 * caller has to remember the check. Callers that can name the faulty input check before.
 *
 * <p>Every call that is refused throws {@link IllegalArgumentException} and does nothing.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class IssuedStore extends ForwardingStore {
  private final TimestampOracle oracle;

  public IssuedStore(CellStore store, TimestampOracle oracle) {
    super(store);
    this.oracle = oracle;
  }

  /** The store without the check. */
  public CellStore beneath() {
    return store;
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    for (RowRead request : requests) {
      oracle.requireIssued(request.snapshot());
    }
    return store.read(requests);
  }

  @Override
  public RowCells read(RowRead request) {
    oracle.requireIssued(request.snapshot());
    return store.read(request);
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    oracle.requireIssued(request.snapshot());
    return store.scan(request);
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    for (RowWrite write : writes) {
      for (Cell put : write.puts()) {
        oracle.requireIssued(put.version());
      }
    }
    return store.write(writes, durability);
  }

  @Override
  public <A, R> Outcome<R> execute(Procedure<A, R> procedure, A argument, Durability durability) {
    oracle.requireIssued(procedure.highest(argument));
    return store.execute(procedure, argument, durability);
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    for (A argument : arguments) {
      oracle.requireIssued(procedure.highest(argument));
    }
    return store.execute(procedure, arguments, durability);
  }

  @Override
  public void advanceClock(long timestamp) {
    store.advanceClock(oracle.requireIssued(timestamp));
  }

  @Override
  public void raiseWatermark(long timestamp) {
    store.raiseWatermark(oracle.requireIssued(timestamp));
  }

  @Override
  public void veil(String table, long version, boolean wins) {
    store.veil(table, oracle.requireIssued(version), wins);
  }

  @Override
  public Lift lift(
      String table, long version, long start, long epoch, String family, LiftCheck check) {
    oracle.requireIssued(Math.max(version, start));
    return store.lift(table, version, start, epoch, family, check);
  }
}
