package io.braid.store.rocksdb.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.store.StoreException;
import io.braid.core.store.Veils;
import io.braid.core.store.Veils.Veil;
import io.braid.store.rocksdb.engine.Engine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * The catalog's records of veils, one for each veil, encoded as {@code docs/formats/rocksdb.md}
 * says. The records of a dropped table belong to no other table, because its number is not given
 * out again.
 */
final class VeilRecords {
  private static final int FORMAT = 1;

  private VeilRecords() {}

  static byte[] key(int table, long version) {
    return (prefix(table) + version).getBytes(StandardCharsets.UTF_8);
  }

  private static String prefix(int table) {
    return "veil/" + table + "/";
  }

  static byte[] encode(Veil veil) {
    Encoder to = new Encoder(32);
    to.u8(FORMAT).int64(veil.version()).int64(veil.commit()).bool(veil.wins());
    Bytes body = to.finish();
    return new Encoder(32).raw(body).int64(checksum(body)).finish().toArray();
  }

  private static Veil decode(byte[] encoded) {
    Bytes all = Bytes.wrap(encoded);
    try {
      Bytes body = all.slice(0, all.length() - Long.BYTES);
      Decoder from = new Decoder(body);
      int format = from.u8();
      if (all.longAt(body.length()) != checksum(body) || format != FORMAT) {
        throw new IllegalArgumentException("A veil of format " + format + ".");
      }
      return new Veil(from.int64(), from.int64(), from.bool());
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new StoreException(
          "The catalog of the store is corrupt. Restore the directory from a backup.", e);
    }
  }

  /** The veils of a table. */
  static Veils load(Engine engine, int table) {
    byte[] prefix = prefix(table).getBytes(StandardCharsets.UTF_8);
    List<Veil> veils = new ArrayList<>();
    try (RocksIterator records = engine.db.newIterator(engine.catalog)) {
      for (records.seek(prefix); records.isValid(); records.next()) {
        if (!Bytes.wrap(records.key()).startsWith(Bytes.wrap(prefix))) {
          break;
        }
        veils.add(decode(records.value()));
      }
      records.status();
    } catch (RocksDBException e) {
      throw Engine.failure("The veils of the store cannot be read.", e);
    }
    return veils.isEmpty() ? Veils.NONE : new Veils(veils);
  }

  private static long checksum(Bytes body) {
    CRC32C crc = new CRC32C();
    crc.update(body.toBuffer());
    return crc.getValue();
  }
}
