package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.serving.writable.imports.ImportState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A tuple of an import.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record ImportedTuple(Bytes key, Bytes value) {
  private static final int MOST = 1 << 20;

  public ImportedTuple {
    TupleLimits.check(key, Optional.of(value));
  }

  /** Bytes of key and value. */
  public long bytes() {
    return (long) key.length() + value.length();
  }

  /**
   * Stores tuples at a replica, over any current values. All replicas have the same tuples when an
   * import begins, so each finds the clock by itself: the clock of the current tuple, plus the
   * number of the import. A tuple that already has that number was imported before, whatever was
   * written since.
   */
  public static void store(Engine engine, ImportState ticket, List<ImportedTuple> tuples) {
    List<Engine.Entry> fresh = new ArrayList<>();
    for (ImportedTuple tuple : tuples) {
      VectorClock basis = Siblings.basis(engine.get(tuple.key()));
      if (basis.imports() < ticket.number()) {
        VectorClock clock = basis.imported(ticket.number());
        VersionedValue version =
            new VersionedValue(clock, ticket.begun(), Optional.of(tuple.value()));
        fresh.add(new Engine.Entry(tuple.key(), List.of(version)));
      }
    }
    engine.putAll(fresh);
  }

  public static void encode(List<ImportedTuple> tuples, Encoder to) {
    to.varint(tuples.size());
    tuples.forEach(tuple -> to.bytes(tuple.key).bytes(tuple.value));
  }

  public static List<ImportedTuple> decode(Decoder from) {
    int count = from.count(MOST);
    List<ImportedTuple> tuples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tuples.add(new ImportedTuple(from.bytes(), from.bytes()));
    }
    return tuples;
  }
}
