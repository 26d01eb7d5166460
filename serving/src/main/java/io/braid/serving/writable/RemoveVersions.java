package io.braid.serving.writable;

import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.ArrayList;
import java.util.List;

/** {@link Engine#remove} on the siblings of a row. */
final class RemoveVersions implements Procedure<RemoveVersions.Removal, Boolean> {
  static final RemoveVersions INSTANCE = new RemoveVersions();

  private static final Codec<Removal> REMOVAL =
      Codecs.of(
          removal -> {
            Encoder to = new Encoder().row(removal.row());
            VersionedValue.encode(removal.gone(), to);
            return to.finish();
          },
          bytes -> {
            Decoder from = new Decoder(bytes);
            return new Removal(from.row(), VersionedValue.decodeAll(from));
          });

  record Removal(Row row, List<VersionedValue> gone) {}

  @Override
  public String name() {
    return "serving.remove-versions";
  }

  @Override
  public List<Row> rows(Removal removal) {
    return List.of(removal.row());
  }

  @Override
  public Boolean run(RowAccess rows, Removal removal) {
    Cell there = rows.newest(removal.row(), CellEngine.SIBLINGS, Long.MAX_VALUE);
    if (there != null) {
      List<VersionedValue> left =
          new ArrayList<>(VersionedValue.decodeAll(new Decoder(there.value())));
      if (left.removeAll(removal.gone())) {
        PutVersion.write(rows, removal.row(), there.version(), left);
      }
    }
    return true;
  }

  @Override
  public Codec<Removal> argumentCodec() {
    return REMOVAL;
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }
}
