package io.braid.omid.rows;

import io.braid.core.cells.RowIntents;
import io.braid.core.cells.WriteGuard;
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
 * Finds out, in a way that decides, the outcome of a {@link FastWrite} whose answer was lost. If it
 * has not written, it never will, however late a copy of it arrives.
 *
 * <p>Answers Committed, Ended or Refused. Refused means that its record, or the cause of its
 * refusal, may have been collected: the outcome cannot be found out any more.
 */
public final class EndFastWrite implements Procedure<EndFastWrite.Request, OmidAnswer> {
  public static final EndFastWrite INSTANCE = new EndFastWrite();

  /**
   * The write in question.
   *
   * @param column the first that it writes
   * @param id its request id
   * @param atLeast the timestamp that its version is above
   */
  public record Request(Row row, ColumnName column, long id, long atLeast) {}

  private EndFastWrite() {}

  @Override
  public String name() {
    return "omid.end-fast-write";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public long highest(Request request) {
    return request.atLeast;
  }

  @Override
  public OmidAnswer run(RowAccess rows, Request request) {
    FastTraces traces =
        new FastTraces(
            rows,
            RowIntents.of(rows, request.row),
            request.row,
            request.column,
            request.id,
            request.atLeast);
    long version = traces.written();
    if (version != 0) {
      return new OmidAnswer.Committed(version);
    }
    if (traces.isRefused()) {
      return OmidAnswer.ENDED;
    }
    Refusal tooOld = WriteGuard.checkStart(rows, request.row, request.atLeast);
    if (tooOld != null) {
      return new OmidAnswer.Refused(tooOld);
    }
    traces.refuse();
    return OmidAnswer.ENDED;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(EndFastWrite::encode, EndFastWrite::decode);
  }

  private static Bytes encode(Request request) {
    return new Encoder(64)
        .row(request.row)
        .column(request.column)
        .varint(request.id)
        .varint(request.atLeast)
        .finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(from.row(), from.column(), from.varint(), from.varint());
  }

  @Override
  public Codec<OmidAnswer> resultCodec() {
    return OmidAnswer.CODEC;
  }
}
