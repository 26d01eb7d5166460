package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import org.apiguardian.api.API;

/**
 * How far an observer is with the rows that existed before it. Kept beside its registration.
 *
 * @param id a timestamp; the version of all notifications that it writes
 * @param next the key that it goes on at
 * @param done whether it has come to the end of the table
 * @param rows how many rows with the column it has looked at
 * @param notified how many of them it has made pending
 * @param requestedMillis when it was asked for, milliseconds since 1970
 * @param changedMillis when it got here
 */
@API(status = API.Status.STABLE)
public record Backfill(
    long id,
    Bytes next,
    boolean done,
    long rows,
    long notified,
    long requestedMillis,
    long changedMillis) {
  static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "backfill");
  static final Codec<Backfill> CODEC = Codecs.of(Backfill::encode, Backfill::decode);

  static Backfill requested(long id, long wallMillis) {
    return new Backfill(id, Bytes.EMPTY, false, 0, 0, wallMillis, wallMillis);
  }

  private Bytes encode() {
    return new Encoder()
        .varint(id)
        .bytes(next)
        .bool(done)
        .varint(rows)
        .varint(notified)
        .varint(requestedMillis)
        .varint(changedMillis)
        .finish();
  }

  private static Backfill decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Backfill(
        from.varint(),
        from.bytes(),
        from.bool(),
        from.varint(),
        from.varint(),
        from.varint(),
        from.varint());
  }
}
