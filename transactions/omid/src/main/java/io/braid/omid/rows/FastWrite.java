package io.braid.omid.rows;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.TabletClock;
import io.braid.core.time.Timestamp;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction that writes one row, all at once (algorithm 4: {@code putVersion}). Its version is
 * drawn from the tablet clock: above every commit stored there and every snapshot served there. So
 * a regular transaction that has read the row finds this version when it writes (figure 3).
 *
 * <p>Tentative cells are not resolved; they refuse the write. The records hold the request id in
 * the place of a start timestamp. A repeated call finds the id, and answers as the first call did.
 * A call is refused if it comes so late that the records may have been collected.
 *
 * <p>Stores resend: a copy of a call may arrive long after the answer, when the obstacle is gone.
 * So a refusal by a temporary obstacle leaves a mark that refuses every copy, unless there are no
 * copies. The mark is among the intents of the first column, above the timestamp that the write has
 * to be above. It is collected when the low watermark refuses the copies.
 *
 * <p>Answers Committed, Colliding, Exhausted, Refused or Ended. After the last three no call with
 * this id will write; after Exhausted if it was the last.
 */
public final class FastWrite implements Procedure<FastWrite.Request, OmidAnswer> {
  public static final FastWrite INSTANCE = new FastWrite();

  /** An {@code upTo} that allows any commit since. */
  public static final long ANY = Timestamp.MAX;

  /**
   * The write.
   *
   * @param id the request id: at random, with local bits, so that it is no start timestamp
   * @param upTo refused if a column has a commit above this
   * @param atLeast the version will be above this; no call with this id came earlier
   * @param last whether there is no further attempt when the clock is exhausted
   * @param once whether no call with this id comes later, once this one is answered
   */
  public record Request(
      RowMutation mutation, long id, long upTo, long atLeast, boolean last, boolean once) {
    private static final int LAST = 1;
    private static final int ONCE = 2;

    public Request(RowMutation mutation, long id, long upTo, long atLeast) {
      this(mutation, id, upTo, atLeast, false, false);
    }

    /** The same write, tried for the last time. */
    public Request asLast() {
      return new Request(mutation, id, upTo, atLeast, true, once);
    }

    /** Returns the same write, with or without the promise that no copies come. */
    public Request once(boolean comesOnce) {
      return new Request(mutation, id, upTo, atLeast, last, comesOnce);
    }
  }

  private FastWrite() {}

  @Override
  public String name() {
    return "omid.fast-write";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.mutation.row());
  }

  @Override
  public long highest(Request request) {
    return request.atLeast;
  }

  @Override
  public OmidAnswer run(RowAccess rows, Request request) {
    RowMutation mutation = request.mutation;
    Row row = mutation.row();
    RowIntents intents = RowIntents.of(rows, row);
    FastTraces traces = FastTraces.of(rows, intents, request);
    long before = traces.written();
    if (before != 0) {
      return new OmidAnswer.Committed(before);
    }
    Refusal refusal = intents.guard(mutation);
    if (refusal instanceof Refusal.StaleEpoch) {
      return new OmidAnswer.Refused(refusal);
    }
    // The record of an earlier run may have been collected: the outcome is not known any more.
    Refusal tooOld = WriteGuard.checkStart(rows, row, request.atLeast);
    if (tooOld != null) {
      return new OmidAnswer.Refused(tooOld);
    }
    if (traces.isRefused()) {
      return OmidAnswer.ENDED;
    }
    if (refusal != null) {
      refuse(traces, request);
      return new OmidAnswer.Refused(refusal);
    }
    List<OmidAnswer.Collision> collisions = new ArrayList<>(0);
    boolean forGood = false;
    for (CellWrite cell : mutation.cells()) {
      RowIntents.ForeignIntent foreign = intents.foreign(cell.column(), request.id);
      if (foreign != null) {
        collisions.add(new OmidAnswer.Collision(row, cell.column(), foreign.start(), true));
      } else if (request.upTo != ANY) {
        long newer = CommitRecords.newerThan(rows, row, cell.column(), request.upTo);
        if (newer != 0) {
          collisions.add(new OmidAnswer.Collision(row, cell.column(), newer, false));
          forGood |= lasts(rows, row, cell.column(), newer);
        }
      }
    }
    if (!collisions.isEmpty()) {
      if (!forGood) {
        refuse(traces, request);
      }
      return new OmidAnswer.Colliding(collisions);
    }
    long version = rows.clock().next(request.atLeast);
    if (version == TabletClock.EXHAUSTED) {
      if (request.last) {
        refuse(traces, request);
      }
      return OmidAnswer.EXHAUSTED;
    }
    for (CellWrite cell : mutation.cells()) {
      CommitRecords.put(rows, row, cell, request.id, version);
    }
    return new OmidAnswer.Committed(version);
  }

  /**
   * Leaves a mark unless no copies come. Each reader of the row has to look at the mark until it is
   * collected.
   */
  private static void refuse(FastTraces traces, Request request) {
    if (!request.once) {
      traces.refuse();
    }
  }

  /** Whether a record stays until there is a newer one: a deletion may be collected. */
  private static boolean lasts(RowAccess rows, Row row, ColumnName column, long version) {
    Cell cell = rows.at(row, column, version);
    if (cell == null) {
      return false;
    }
    CommitRecord.Kind kind = CommitRecord.read(row, cell).kind();
    return kind == CommitRecord.Kind.PUT || kind == CommitRecord.Kind.PUT_LARGE;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(FastWrite::encode, FastWrite::decode);
  }

  @Override
  public Codec<OmidAnswer> resultCodec() {
    return OmidAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(128);
    request.mutation.encode(to);
    return to.varint(request.id)
        .varint(request.upTo)
        .varint(request.atLeast)
        .u8((request.last ? Request.LAST : 0) | (request.once ? Request.ONCE : 0))
        .finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    Request request =
        new Request(RowMutation.decode(from), from.varint(), from.varint(), from.varint());
    int flags = from.u8();
    Request read = (flags & Request.LAST) != 0 ? request.asLast() : request;
    return read.once((flags & Request.ONCE) != 0);
  }
}
