package io.braid.percolator.rows;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;

/**
 * Refreshes the wall time of a primary lock during a long commit (Percolator, section 2.2), never
 * backwards.
 *
 * <p>Answers Finished, also when there is no lock to refresh, or Refused.
 */
public final class Heartbeat implements Procedure<Heartbeat.Request, PercolatorAnswer> {
  public static final Heartbeat INSTANCE = new Heartbeat();

  /**
   * The lock and its new wall time.
   *
   * @param epoch the epoch of the primary's table now
   * @param wallMillis milliseconds since 1970
   */
  public record Request(PrimaryCell primary, long epoch, long start, long wallMillis) {}

  private Heartbeat() {}

  @Override
  public String name() {
    return "percolator.heartbeat";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.primary.row());
  }

  @Override
  public long highest(Request request) {
    return request.start;
  }

  @Override
  public PercolatorAnswer run(RowAccess rows, Request request) {
    Row row = request.primary.row();
    ColumnName column = request.primary.column();
    RowIntents intents = RowIntents.of(rows, row);
    Refusal refused = intents.guardEpoch(request.epoch);
    if (refused != null) {
      return new PercolatorAnswer.Refused(refused);
    }
    Intent lock = intents.of(column, request.start);
    if (lock != null && lock.undecided() && lock.wallMillis() < request.wallMillis) {
      Intent fresh =
          new Intent(
              lock.kind(),
              lock.decision(),
              lock.owner(),
              request.wallMillis,
              lock.stage(),
              lock.value());
      rows.put(row, Families.intent(column), request.start, fresh.encode());
    }
    return PercolatorAnswer.FINISHED;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(Heartbeat::encode, Heartbeat::decode);
  }

  @Override
  public Codec<PercolatorAnswer> resultCodec() {
    return PercolatorAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(96);
    request.primary.encode(to);
    return to.varint(request.epoch).varint(request.start).varint(request.wallMillis).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(Primaries.decode(from), from.varint(), from.varint(), from.varint());
  }
}
