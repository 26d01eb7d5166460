package io.braid.core.loads;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;

/**
 * The record of a load: its decision point.
 *
 * @param start the load's start timestamp
 * @param commit its commit timestamp once COMMITTED; 0 before
 * @param wins whether the load overwrites values that others committed after its start; else those
 *     values stay
 * @param drainer the process that drains: a liveness token, a slash, and a text that distinguishes
 *     one draining from another; empty before
 */
public record LoadState(
    Phase phase, String table, long start, long commit, boolean wins, String drainer) {
  static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "record");
  static final long VERSION = 1;

  private static final Phase[] PHASES = Phase.values();

  /** How far it is. */
  public enum Phase {
    /** Cells are being staged. */
    LOADING,
    /** No more cells are staged; open writes of others come to their end. */
    DRAINING,
    /** A commit timestamp may be drawn. */
    CLOSING,
    COMMITTED,
    ABORTED
  }

  /** Returns the row that contains the record of a load. */
  public static Row row(String load) {
    return Row.of(Families.SYSTEM_TABLE, "load/" + load);
  }

  public boolean decided() {
    return phase == Phase.COMMITTED || phase == Phase.ABORTED;
  }

  /** A load that begins. */
  public static LoadState begun(String table, long start, boolean wins) {
    return new LoadState(Phase.LOADING, table, start, 0, wins, "");
  }

  /** Returns the liveness token of the draining process. */
  String drainerToken() {
    int slash = drainer.lastIndexOf('/');
    return slash < 0 ? drainer : drainer.substring(0, slash);
  }

  /** Makes the state of a load that was given up before it had a record. */
  public static LoadState givenUp(String table, long start) {
    return begun(table, start, false).in(Phase.ABORTED);
  }

  LoadState in(Phase next) {
    return new LoadState(next, table, start, commit, wins, drainer);
  }

  LoadState drainedBy(String who) {
    return new LoadState(Phase.DRAINING, table, start, commit, wins, who);
  }

  LoadState committedAt(long timestamp) {
    return new LoadState(Phase.COMMITTED, table, start, timestamp, wins, drainer);
  }

  Bytes encode() {
    Encoder to = new Encoder();
    to.u8(phase.ordinal() + 1).text(table).varint(start).varint(commit).bool(wins).text(drainer);
    return to.finish();
  }

  static LoadState decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int phase = from.u8();
    if (phase < 1 || phase > PHASES.length) {
      throw new IllegalArgumentException("No load is in phase " + phase + ".");
    }
    return new LoadState(
        PHASES[phase - 1], from.text(), from.varint(), from.varint(), from.bool(), from.text());
  }
}
