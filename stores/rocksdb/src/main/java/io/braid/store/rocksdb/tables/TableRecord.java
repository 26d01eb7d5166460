package io.braid.store.rocksdb.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.store.rocksdb.engine.KindLetters;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The catalog's record of a table: schema, birth, epoch, tablets. Its encoding is in {@code
 * docs/formats/rocksdb.md}, with a checksum at the end.
 */
record TableRecord(int id, TableSchema schema, long birth, long epoch, TabletMap tablets) {
  private static final int VERSION = 2;

  /** It said nothing of births. */
  private static final int WITHOUT_BIRTH = 1;

  private static final int MOST_FAMILIES = 10_000;
  private static final int MOST_TABLETS = 100_000_000;

  byte[] encode() {
    Encoder to = new Encoder(256);
    to.u8(VERSION).varint(id).text(schema.name()).varint(schema.families().size());
    for (FamilySchema family : schema.families()) {
      to.text(family.name()).u8(KindLetters.letter(family.kind()));
    }
    to.varint(birth).varint(epoch).varint(tablets.nextId()).varint(tablets.starts().size());
    for (int i = 0; i < tablets.starts().size(); i++) {
      to.bytes(tablets.starts().get(i)).varint(tablets.ids().get(i));
    }
    Bytes body = to.finish();
    return new Encoder(body.length() + 8).raw(body).int64(checksum(body)).finish().toArray();
  }

  static TableRecord decode(byte[] encoded) {
    Bytes all = Bytes.wrap(encoded);
    try {
      Bytes body = all.slice(0, all.length() - Long.BYTES);
      if (all.longAt(body.length()) != checksum(body)) {
        throw new IllegalArgumentException("The checksum does not match.");
      }
      return decode(new Decoder(body));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new StoreException(
          "The catalog of the store is corrupt. Restore the directory from a backup.", e);
    }
  }

  private static TableRecord decode(Decoder from) {
    int version = from.u8();
    if (version != VERSION && version != WITHOUT_BIRTH) {
      throw new IllegalArgumentException("A table record of version " + version + ".");
    }
    int id = from.count(Integer.MAX_VALUE);
    String name = from.text();
    List<FamilySchema> families = new ArrayList<>();
    for (int left = from.count(MOST_FAMILIES); left > 0; left--) {
      families.add(new FamilySchema(from.text(), KindLetters.kind((char) from.u8())));
    }
    long birth = version == WITHOUT_BIRTH ? 0 : from.varint();
    long epoch = from.varint();
    long nextId = from.varint();
    List<Bytes> starts = new ArrayList<>();
    List<Long> ids = new ArrayList<>();
    for (int left = from.count(MOST_TABLETS); left > 0; left--) {
      starts.add(from.bytes());
      ids.add(from.varint());
    }
    from.end();
    return new TableRecord(
        id, new TableSchema(name, families), birth, epoch, new TabletMap(starts, ids, nextId));
  }

  private static long checksum(Bytes body) {
    CRC32C crc = new CRC32C();
    crc.update(body.toBuffer());
    return crc.getValue();
  }
}
