package io.braid.serving.writable;

import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;

/** {@link Engine#put} and {@link Engine#putFirst} on the siblings of a row. */
final class PutVersion implements Procedure<PutVersion.Put, Boolean> {
  static final PutVersion INSTANCE = new PutVersion();

  /** Stands for no master. */
  static final int NOBODY = -1;

  private static final Codec<Put> PUT =
      Codecs.of(
          put -> {
            Encoder to = new Encoder().row(put.row()).varint(put.master() + 1L);
            put.fresh().encode(to);
            return to.finish();
          },
          bytes -> {
            Decoder from = new Decoder(bytes);
            Row row = from.row();
            int master = from.count(Integer.MAX_VALUE) - 1;
            return new Put(row, VersionedValue.decode(from), master);
          });

  record Put(Row row, VersionedValue fresh, int master) {}

  @Override
  public String name() {
    return "serving.put-version";
  }

  @Override
  public List<Row> rows(Put put) {
    return List.of(put.row());
  }

  @Override
  public Boolean run(RowAccess rows, Put put) {
    Cell there = rows.newest(put.row(), CellEngine.SIBLINGS, Long.MAX_VALUE);
    List<VersionedValue> siblings =
        there == null ? List.of() : VersionedValue.decodeAll(new Decoder(there.value()));
    boolean accepted =
        put.master() == NOBODY
            ? Siblings.accepts(siblings, put.fresh())
            : Siblings.acceptsFirst(siblings, put.fresh(), put.master());
    List<VersionedValue> after = accepted ? Siblings.with(siblings, put.fresh()) : siblings;
    if (!after.equals(siblings)) {
      write(rows, put.row(), there == null ? 0 : there.version(), after);
    }
    return accepted;
  }

  /** Replaces the cell: there is one at a time, so that no version is ever collected. */
  static void write(RowAccess rows, Row row, long version, List<VersionedValue> after) {
    if (version > 0) {
      rows.delete(row, CellEngine.SIBLINGS, version);
    }
    if (!after.isEmpty()) {
      Encoder to = new Encoder();
      VersionedValue.encode(after, to);
      rows.put(row, CellEngine.SIBLINGS, version + 1, to.finish());
    }
  }

  @Override
  public Codec<Put> argumentCodec() {
    return PUT;
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }
}
