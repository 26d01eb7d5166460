package io.braid.benchmarks;

import com.linkedin.paldb.api.PalDB;
import com.linkedin.paldb.api.StoreReader;
import com.linkedin.paldb.api.StoreWriter;
import java.io.File;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * PalDB with its defaults. Its overloads for byte arrays skip its serialization; the calls here do
 * not use these overloads.
 */
final class PalDbPeer implements ServedPeer {
  /** A strong reference: an unreferenced logger loses its level. */
  private static final Logger CHATTER = Logger.getLogger("com.linkedin.paldb");

  static {
    CHATTER.setLevel(Level.WARNING);
  }

  private final StoreReader reader;

  private PalDbPeer(StoreReader reader) {
    this.reader = reader;
  }

  static PalDbPeer load(Path directory, Tuples tuples) throws Exception {
    File file = directory.resolve("paldb.store").toFile();
    StoreWriter writer = PalDB.createWriter(file);
    tuples.forEach((key, value) -> writer.put((Object) key, (Object) value));
    writer.close();
    return new PalDbPeer(PalDB.createReader(file));
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] value = reader.get((Object) key);
    return value;
  }

  @Override
  public long indexBytes() {
    return 0;
  }

  @Override
  public void close() {
    reader.close();
  }
}
