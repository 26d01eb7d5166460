package io.braid.omid;

import io.braid.core.data.Bytes;
import io.braid.core.data.Encoder;
import io.braid.core.transaction.FastSession.Request;
import io.braid.core.transaction.RowChange;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The key by which the store identifies a named write: a hash of the name and of all written cells.
 * If a name is used for another write too, the keys differ, so neither write is taken for a
 * repetition of the other.
 */
final class NamedWrite {
  private static final int BITS = 48;

  private NamedWrite() {}

  static Request of(Request name, RowChange change) {
    Encoder to = new Encoder().int64(name.id()).row(change.row());
    change
        .columns()
        .forEach(
            (column, value) ->
                to.column(column).bool(value.isPresent()).bytes(value.orElse(Bytes.EMPTY)));
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(to.finish().toArray());
      long id = ByteBuffer.wrap(hash).getLong() >>> Long.SIZE - BITS;
      return new Request(Math.max(1, id) << 8 | 1, name.after());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }
}
