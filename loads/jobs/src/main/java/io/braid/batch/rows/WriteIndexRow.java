package io.braid.batch.rows;

import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Writes an index row ahead of a record, unless the index has been replaced meanwhile. Returns
 * whether the row was written.
 *
 * <p>The load has marked the index before, so a reader that finds the index row compares it with
 * the row that it leads to. If a load paused while the index was dropped and created again, it has
 * not marked the new index: the table of the new index has a higher epoch.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class WriteIndexRow implements Procedure<IndexRow, Boolean> {
  public static final WriteIndexRow INSTANCE = new WriteIndexRow();

  private static final Codec<IndexRow> ROWS =
      Codecs.of(
          each ->
              new Encoder(64)
                  .row(each.row())
                  .column(each.cell().column())
                  .int64(each.cell().version())
                  .bytes(each.cell().value())
                  .int64(each.epoch())
                  .finish(),
          bytes -> {
            Decoder from = new Decoder(bytes);
            Row row = from.row();
            Cell cell = new Cell(from.column(), from.int64(), from.bytes());
            IndexRow read = new IndexRow(row, cell, from.int64());
            from.end();
            return read;
          });

  private static final Codec<Boolean> ANSWERS =
      Codecs.of(answer -> new Encoder(1).bool(answer).finish(), bytes -> new Decoder(bytes).bool());

  private WriteIndexRow() {}

  @Override
  public String name() {
    return "batch.write-index-row";
  }

  @Override
  public List<Row> rows(IndexRow argument) {
    return List.of(argument.row());
  }

  @Override
  public long highest(IndexRow argument) {
    return argument.cell().version();
  }

  @Override
  public Boolean run(RowAccess rows, IndexRow argument) {
    Row row = argument.row();
    if (argument.epoch() != IndexRow.ANY && rows.epoch(row.table()) != argument.epoch()) {
      return false;
    }
    Cell cell = argument.cell();
    rows.put(row, cell.column(), cell.version(), cell.value());
    return true;
  }

  @Override
  public Codec<IndexRow> argumentCodec() {
    return ROWS;
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return ANSWERS;
  }
}
