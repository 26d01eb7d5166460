package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.ArrayList;
import java.util.List;

/** The requests for advisory locks in one message, in the order in which they are to be done. */
record LockMessage(List<Change> changes) {
  private static final int MOST = 1 << 16;

  /**
   * @param take true to take the lock if it is free, false to give it back
   */
  record Change(boolean take, String name, String owner) {
    private static final int LENGTHS = 16;
    private static final int CHAR = 3;

    /** How many bytes it has in a message at most. */
    long mostBytes() {
      return LENGTHS + (long) CHAR * (name.length() + owner.length());
    }
  }

  Bytes encode() {
    Encoder to = new Encoder(64 * changes.size() + 8).varint(changes.size());
    changes.forEach(each -> to.bool(each.take).text(each.name).text(each.owner));
    return to.finish();
  }

  static LockMessage decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    List<Change> changes = new ArrayList<>();
    for (int left = from.count(MOST); left > 0; left--) {
      changes.add(new Change(from.bool(), from.text(), from.text()));
    }
    from.end();
    return new LockMessage(changes);
  }

  /** Does it, for a session: a byte for each change, 1 where a lock was taken. */
  Bytes applyTo(LockTable table, Object session) {
    byte[] taken = new byte[changes.size()];
    for (int i = 0; i < taken.length; i++) {
      Change each = changes.get(i);
      if (!each.take) {
        table.unlock(each.name, each.owner);
      } else if (table.tryLock(session, each.name, each.owner)) {
        taken[i] = 1;
      }
    }
    return Bytes.wrap(taken);
  }
}
