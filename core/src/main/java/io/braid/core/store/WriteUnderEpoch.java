package io.braid.core.store;

import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.store.RowWrite.Removal;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Writes a row of a table of users without a transaction, as long as the table has the epoch that
 * the writer knows. After raising the epoch, a process is sure that no such write arrives any more:
 * no call that was sent twice, and none of a process that was suspended.
 *
 * <p>Answers whether the table had that epoch; if not, nothing is written. For rows that Braid
 * keeps beside those of users: no group holds them, and no transaction conflicts about them.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class WriteUnderEpoch implements Procedure<WriteUnderEpoch.Request, Boolean> {
  public static final WriteUnderEpoch INSTANCE = new WriteUnderEpoch();

  private static final Codec<Request> REQUEST =
      Codecs.of(
          request -> {
            Encoder to = new Encoder(128).row(request.write.row()).varint(request.epoch);
            Lists.encode(to, request.write.removals(), WriteUnderEpoch::encode);
            Lists.encode(to, request.write.puts(), WriteUnderEpoch::encode);
            return to.finish();
          },
          bytes -> {
            Decoder from = new Decoder(bytes);
            Row row = from.row();
            long epoch = from.varint();
            List<Removal> removals =
                Lists.decode(from, each -> new Removal(each.column(), each.varint()));
            List<Cell> puts =
                Lists.decode(from, each -> new Cell(each.column(), each.varint(), each.bytes()));
            return new Request(new RowWrite(row, puts, removals), epoch);
          });

  /**
   * The write.
   *
   * @param epoch of the row's table, as the writer knows it
   */
  public record Request(RowWrite write, long epoch) {}

  private WriteUnderEpoch() {}

  private static void encode(Removal removal, Encoder to) {
    to.column(removal.column()).varint(removal.version());
  }

  private static void encode(Cell cell, Encoder to) {
    to.column(cell.column()).varint(cell.version()).bytes(cell.value());
  }

  @Override
  public String name() {
    return "store.write-under-epoch";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.write.row());
  }

  @Override
  public long highest(Request request) {
    long highest = 0;
    for (Cell put : request.write.puts()) {
      highest = Math.max(highest, put.version());
    }
    return highest;
  }

  @Override
  public Boolean run(RowAccess rows, Request request) {
    Row row = request.write.row();
    if (rows.epoch(row.table()) != request.epoch) {
      return false;
    }
    request.write.removals().forEach(each -> rows.delete(row, each.column(), each.version()));
    request
        .write
        .puts()
        .forEach(each -> rows.put(row, each.column(), each.version(), each.value()));
    return true;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return REQUEST;
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }
}
