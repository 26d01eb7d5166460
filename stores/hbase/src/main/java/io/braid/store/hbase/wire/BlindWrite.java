package io.braid.store.hbase.wire;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.RowWrite;
import java.util.List;

/** A write without reading, as a procedure: it takes the same path as all others. */
public final class BlindWrite implements Procedure<RowWrite, Bytes> {
  private static final Codec<RowWrite> WRITES = Codecs.of(Cells::encodeWrite, Cells::decodeWrite);

  @Override
  public String name() {
    return "hbase.write";
  }

  @Override
  public List<Row> rows(RowWrite write) {
    return List.of(write.row());
  }

  @Override
  public Bytes run(RowAccess rows, RowWrite write) {
    for (RowWrite.Removal removal : write.removals()) {
      rows.delete(write.row(), removal.column(), removal.version());
    }
    for (Cell cell : write.puts()) {
      rows.put(write.row(), cell.column(), cell.version(), cell.value());
    }
    return Bytes.EMPTY;
  }

  @Override
  public Codec<RowWrite> argumentCodec() {
    return WRITES;
  }

  @Override
  public Codec<Bytes> resultCodec() {
    return Codecs.bytes();
  }
}
