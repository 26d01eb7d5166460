package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.net.Arrivals.Room;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import javax.net.ssl.SSLException;

/** A length of four bytes, then so many bytes; never more than the limit. */
final class Frames {
  /** The longest frame; a group of a hundred thousand keys fits. */
  static final int MOST = 16 << 20;

  private static final int STEP = 64 << 10;

  private Frames() {}

  static void write(DataOutputStream to, Bytes frame) throws IOException {
    if (frame.length() > MOST) {
      throw new IOException("A message of " + frame.length() + " bytes is too long.");
    }
    to.writeInt(frame.length());
    to.write(frame.toArray());
    to.flush();
  }

  static Bytes read(DataInputStream from) throws IOException {
    return read(from, Room.ENDLESS);
  }

  /** Reads a frame; what was promised and does not come takes no memory. */
  static Bytes read(DataInputStream from, Room room) throws IOException {
    int length = from.readInt();
    if (Trust.isTls(length >>> 16)) {
      throw new SSLException("The other end speaks TLS.");
    }
    if (length < 0 || length > MOST) {
      throw new IOException("A frame of " + length + " bytes is over the limit of " + MOST + ".");
    }
    byte[] bytes = new byte[Math.min(length, STEP)];
    room.take(bytes.length);
    int have = 0;
    while (have < length) {
      if (have == bytes.length) {
        int next = Math.min(length, 2 * have);
        room.take(next - have);
        bytes = Arrays.copyOf(bytes, next);
      }
      from.readFully(bytes, have, bytes.length - have);
      have = bytes.length;
    }
    return Bytes.wrap(bytes, 0, length);
  }
}
