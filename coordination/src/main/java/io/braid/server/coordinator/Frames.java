package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.net.Arrivals.Room;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The messages between client and coordinator.
 *
 * <p>The client begins with {@link #MAGIC}, the token of the coordinator that it looks for, and its
 * own token. The coordinator answers {@link #DONE}, or answers {@link #NOT_COORDINATOR} or {@link
 * #OTHER_RELEASE} and closes. Then one request and one reply follow each other. A client has one
 * message out on a connection, so the coordinator gathers nothing but the requests that it is
 * answering.
 *
 * <p>A request is a byte for its kind, and its arguments. A reply is a status and, when done, eight
 * bytes. The replies to {@link #COMMIT} (see {@link CommitMessage}), to {@link #LOCKS} and to
 * requests about hints are a length of four bytes and as many bytes instead. A failed reply has a
 * text. Texts are a length of two bytes and UTF-8. With {@link Trust#tls} all of it goes through
 * TLS, from the first byte on.
 */
final class Frames {
  static final long MAGIC = 0x4252_4149_4443_4F33L; // BRAIDCO3

  static final int NEXT = 1;
  static final int LAST_ISSUED = 2;

  /** Requests for many locks, see {@link LockMessage}: a length of four bytes and as many bytes. */
  static final int LOCKS = 3;

  /**
   * Commits of many transactions: a length of four bytes and as many bytes, see {@link
   * CommitMessage}.
   */
  static final int COMMIT = 5;

  static final int FENCE = 6;

  /** Asks for a figure of the manager, by the number of the {@link ManagerFigure}. */
  static final int FIGURE = 7;

  /** Hints for others, see {@link HintMessage}: a length of four bytes and as many bytes. */
  static final int OFFER_HINTS = 8;

  /** Asks for hints: in the same form. */
  static final int TAKE_HINTS = 9;

  static final int DONE = 0;
  static final int NOT_COORDINATOR = 1;
  static final int FAILED = 2;

  /**
   * The answer to a client that begins with anything but {@link #MAGIC}. The last character of
   * MAGIC is raised with changes of the messages.
   */
  static final int OTHER_RELEASE = 3;

  /** The first byte of the answer to plain text by a coordinator that speaks TLS: an alert. */
  static final int TLS_ALERT = 21;

  private static final int TLS_HELLO = 22;

  /** The answer to TLS by a coordinator that does not speak it: an alert, "unexpected message". */
  private static final byte[] NO_TLS = {TLS_ALERT, 3, 3, 0, 2, 2, 10};

  /** Bytes of a message of hints or locks, at most. */
  static final int MOST_BYTES = 4 << 20;

  private static final int MOST = 0xFFFF;

  private Frames() {}

  static void writeText(DataOutputStream to, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MOST) {
      throw new IOException("A text of " + bytes.length + " bytes is too long for a request.");
    }
    to.writeShort(bytes.length);
    to.write(bytes);
  }

  static String readText(DataInputStream from) throws IOException {
    byte[] bytes = from.readNBytes(from.readUnsignedShort());
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static void writeMessage(DataOutputStream to, Bytes message) throws IOException {
    to.writeInt(message.length());
    to.write(message.toArray());
  }

  static Bytes readMessage(DataInputStream from) throws IOException {
    return readMessage(from, Room.ENDLESS);
  }

  static Bytes readMessage(DataInputStream from, Room room) throws IOException {
    int length = from.readInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("A message of " + length + " bytes is none.");
    }
    return room.read(from, length);
  }

  /**
   * Returns whether the other side is of a release with the same messages. If not, answers so, in
   * the form of TLS if the other side speaks TLS.
   */
  static boolean isGreeted(DataInputStream from, DataOutputStream to) throws IOException {
    long greeting = from.readLong();
    if (greeting == MAGIC) {
      return true;
    }
    if (greeting >>> (Long.SIZE - Byte.SIZE) == TLS_HELLO) {
      to.write(NO_TLS);
    } else {
      to.write(OTHER_RELEASE);
    }
    to.flush();
    return false;
  }
}
