package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.net.Arrivals.Room;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import javax.net.ssl.SSLException;

/** The frame format: a length of four bytes, then that many bytes; never more than the limit. */
final class Frames {
  /**
   * The longest frame. A value of 16 MiB, the longest by default, fits with its header. So does a
   * group of a hundred thousand keys.
   */
  static final int MOST = 17 << 20;

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

  static Bytes read(DataInputStream from, Room room) throws IOException {
    int length = from.readInt();
    if (Trust.isTls(length >>> 16)) {
      throw new SSLException("The other end speaks TLS.");
    }
    if (length < 0 || length > MOST) {
      throw new IOException("A frame of " + length + " bytes is over the limit of " + MOST + ".");
    }
    return room.read(from, length);
  }
}
