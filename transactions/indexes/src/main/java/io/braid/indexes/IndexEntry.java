package io.braid.indexes;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.store.StoreException;
import java.util.List;
import org.apiguardian.api.API;

/**
 * An index and how far its building has come.
 *
 * @param fence the snapshot that it is populated from; 0 until there is one
 * @param next the key of the first row that was not processed
 * @param id never used by another index
 * @param starts the first keys of the parts of a local index
 * @param checked whether a load has written index rows ahead of its records; if so, lookups compare
 *     their results with the rows
 * @param other the first keys of the parts that its rows move to, or came from; empty otherwise
 * @param since the timestamp at which the index was defined or last moved
 * @param rows where the index rows are
 * @param otherRows where the index rows will be, or were
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record IndexEntry(
    Index index,
    State state,
    long fence,
    Bytes next,
    long id,
    List<Bytes> starts,
    boolean checked,
    List<Bytes> other,
    long since,
    IndexRows rows,
    IndexRows otherRows) {

  /** The state of an index. */
  enum State {
    BUILDING,
    READY,
    DROPPING,
    /** Ready; its rows are written to the parts of {@link IndexEntry#other} as well. */
    MOVING,
    /** Ready; the parts of {@link IndexEntry#other} still hold rows that are elsewhere now. */
    MOVED;

    boolean isReady() {
      return this == READY || this == MOVING || this == MOVED;
    }
  }

  /** Returns the entry of an index that is to be built. */
  static IndexEntry of(Index index, long id, List<Bytes> starts) {
    return of(index, State.BUILDING, 0, Bytes.EMPTY, id, starts, false, List.of(), id);
  }

  private static IndexEntry of(
      Index index,
      State state,
      long fence,
      Bytes next,
      long id,
      List<Bytes> starts,
      boolean checked,
      List<Bytes> other,
      long since) {
    Index stated =
        new Index(index.name(), index.table(), index.column(), index.kind(), state.isReady());
    return new IndexEntry(
        stated,
        state,
        fence,
        next,
        id,
        List.copyOf(starts),
        checked,
        List.copyOf(other),
        since,
        new IndexRows(stated, id, starts),
        new IndexRows(stated, id, other));
  }

  IndexEntry at(long newFence, Bytes from) {
    return of(index, state, newFence, from, id, starts, checked, other, since);
  }

  IndexEntry as(State newState) {
    List<Bytes> kept = newState == State.DROPPING ? other : List.of();
    return of(index, newState, fence, Bytes.EMPTY, id, starts, checked, kept, since);
  }

  public IndexEntry withChecks() {
    return of(index, state, fence, next, id, starts, true, other, since);
  }

  /**
   * Returns whether the index is still in the state of an earlier entry: no step was taken since.
   */
  boolean standsAs(IndexEntry before) {
    return id == before.id
        && state == before.state
        && fence == before.fence
        && next.equals(before.next)
        && since == before.since
        && starts.equals(before.starts)
        && other.equals(before.other);
  }

  /** Returns whether index rows kept by this entry are where another entry looks for them. */
  public boolean servesAs(IndexEntry now) {
    return id == now.id
        && (starts.equals(now.starts) || (state == State.MOVING && other.equals(now.starts)));
  }

  /** Returns the entry for a move of the rows to other parts: writers know both places. */
  IndexEntry movingTo(List<Bytes> parts) {
    return of(index, State.MOVING, fence, Bytes.EMPTY, id, starts, checked, parts, since);
  }

  /** Returns the entry after a move of the rows: lookups and writes use their new places. */
  IndexEntry moved(long at) {
    return of(index, State.MOVED, fence, Bytes.EMPTY, id, other, checked, starts, at);
  }

  /** Returns where a writer of a row has to keep its index row: mostly one place. */
  public List<IndexRows.Place> places(Row row, Bytes value) {
    IndexRows.Place at = rows.at(row, value);
    if (state != State.MOVING) {
      return List.of(at);
    }
    IndexRows.Place to = otherRows.at(row, value);
    return to.equals(at) ? List.of(at) : List.of(at, to);
  }

  static IndexEntry decode(String name, Bytes bytes) {
    Decoder from = new Decoder(bytes);
    String table = from.text();
    ColumnName column = from.column();
    Index.Kind kind = known(Index.Kind.values(), from.u8(), name);
    State state = known(State.values(), from.u8(), name);
    Index index = new Index(name, table, column, kind, false);
    long fence = from.varint();
    Bytes next = from.bytes();
    if (from.remaining() == 0) {
      return of(index, state, fence, next, 0, List.of(), false, List.of(), 0);
    }
    long id = from.int64();
    List<Bytes> starts = Lists.decode(from, Decoder::bytes);
    boolean checked = from.remaining() > 0 && from.bool();
    List<Bytes> other = from.remaining() > 0 ? Lists.decode(from, Decoder::bytes) : List.of();
    long since = from.remaining() > 0 ? from.varint() : id;
    return of(index, state, fence, next, id, starts, checked, other, since);
  }

  Bytes encode() {
    Encoder to =
        new Encoder(64)
            .text(index.table())
            .column(index.column())
            .u8(index.kind().ordinal())
            .u8(state.ordinal())
            .varint(fence)
            .bytes(next)
            .int64(id);
    Lists.encode(to, starts, (start, each) -> each.bytes(start));
    boolean moved = since != id || !other.isEmpty();
    if (checked || moved) {
      to.bool(checked);
    }
    if (moved) {
      Lists.encode(to, other, (start, each) -> each.bytes(start));
      to.varint(since);
    }
    return to.finish();
  }

  private static <T> T known(T[] all, int code, String name) {
    if (code >= all.length) {
      throw new StoreException("Index " + name + " is of a kind that this version does not know.");
    }
    return all[code];
  }
}
