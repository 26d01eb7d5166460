package io.braid.omid.rows;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.Families;
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
import io.braid.core.time.Timestamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest commit record of a column, without a snapshot (algorithm 4: {@code BRC}, {@code
 * BR}). Tentative cells are passed over.
 */
public final class FastRead implements Procedure<FastRead.Request, FastRead.Answer> {
  public static final FastRead INSTANCE = new FastRead();

  /** What to read. */
  public record Request(Row row, ColumnName column) {}

  /**
   * What was found.
   *
   * @param version 0 when the column was never written
   * @param value null when there is none
   */
  public record Answer(long version, @Nullable Bytes value) {}

  private FastRead() {}

  @Override
  public String name() {
    return "omid.fast-read";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public boolean readOnly() {
    return true;
  }

  @Override
  public Answer run(RowAccess rows, Request request) {
    CommitRecords.Visible newest =
        CommitRecords.visible(rows, request.row, request.column, Timestamp.MAX);
    if (newest == null) {
      return new Answer(0, null);
    }
    CommitRecord record = newest.record();
    if (record.kind() == CommitRecord.Kind.PUT_LARGE) {
      Cell large = rows.at(request.row, Families.large(request.column), record.start());
      if (large == null) {
        // Collected meanwhile: a newer version stands there now.
        throw new IllegalStateException("A newer version came first: read again.");
      }
      return new Answer(newest.commit(), large.value());
    }
    return new Answer(
        newest.commit(), record.kind() == CommitRecord.Kind.PUT ? record.value() : null);
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(
        request -> new Encoder(48).row(request.row).column(request.column).finish(),
        bytes -> decode(new Decoder(bytes)));
  }

  private static Request decode(Decoder from) {
    return new Request(from.row(), from.column());
  }

  @Override
  public Codec<Answer> resultCodec() {
    return Codecs.of(FastRead::encodeAnswer, FastRead::decodeAnswer);
  }

  private static Bytes encodeAnswer(Answer answer) {
    Encoder to = new Encoder(64).varint(answer.version).bool(answer.value != null);
    if (answer.value != null) {
      to.raw(answer.value);
    }
    return to.finish();
  }

  private static Answer decodeAnswer(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Answer(from.varint(), from.bool() ? from.rest() : null);
  }
}
