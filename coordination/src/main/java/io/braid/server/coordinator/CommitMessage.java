package io.braid.server.coordinator;

import io.braid.core.net.Arrivals.Room;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Commit requests of many transactions in one message, and the answers in another. Each end of a
 * connection has one object, which it uses again and again; it allocates little.
 *
 * <p>The request: the number of transactions (4 bytes); for each its start timestamp (8), the
 * numbers of its tables (2) and cells (4), and the hashes of these (8 each). The answer contains
 * the verdict (1) for each. A grant adds the commit timestamp (8). A conflict adds the number of
 * colliding cells (4), and for each of them its index (4) and the newer commit (8).
 *
 * <p>No announced length is trusted: a buffer grows as bytes arrive, up to {@link #MOST_BYTES}.
 */
final class CommitMessage {
  /**
   * Bytes of a message, at most; a transaction with more than some eight million cells is refused.
   */
  static final int MOST_BYTES = 64 << 20;

  /** Bytes that are gathered into one message. */
  static final int ENOUGH_BYTES = 256 << 10;

  static final int MOST_SETS = 1 << 14;

  private static final int MOST_TABLES = 4096;
  private static final int MOST_CELLS_KEPT = 256;
  private static final int FIRST_BYTES = 16 << 10;
  private static final int KEPT_BYTES = 64 << 10;
  private static final int STEP_BYTES = 1 << 20;
  private static final Verdict[] VERDICTS = Verdict.values();

  private byte[] bytes = new byte[FIRST_BYTES];
  private ByteBuffer buffer = ByteBuffer.wrap(bytes);
  private final List<WriteSet> sets = new ArrayList<>();

  /** The bytes that a write set takes in a request. */
  static long sizeOf(WriteSet writes) {
    return 14 + 8L * writes.tableCount() + 8L * writes.size();
  }

  /** Sends the length of the message and its content. */
  void send(DataOutputStream to) throws IOException {
    to.writeInt(buffer.position());
    to.write(bytes, 0, buffer.position());
  }

  /** Writes a request. */
  void request(List<WriteSet> batch) {
    begin();
    room(4).putInt(batch.size());
    for (WriteSet writes : batch) {
      ByteBuffer to = room(sizeOf(writes));
      to.putLong(writes.start());
      to.putShort((short) writes.tableCount());
      to.putInt(writes.size());
      for (int i = 0; i < writes.tableCount(); i++) {
        to.putLong(writes.table(i));
      }
      for (int i = 0; i < writes.size(); i++) {
        to.putLong(writes.cell(i));
      }
    }
  }

  /**
   * Returns the write sets of a received request. The objects are used again for the next request.
   *
   * @throws IOException when the message is no such request
   */
  List<WriteSet> requested() throws IOException {
    try {
      int count = buffer.getInt();
      require(count >= 0 && count <= MOST_SETS);
      for (int i = 0; i < count; i++) {
        read(setAt(i));
      }
      require(!buffer.hasRemaining());
      return sets.subList(0, count);
    } catch (BufferUnderflowException e) {
      throw new IOException("A request to commit ends too early.", e);
    }
  }

  /** A set to use again, unless it has become large. */
  private WriteSet setAt(int index) {
    if (index == sets.size()) {
      sets.add(new WriteSet());
    } else if (sets.get(index).size() > MOST_CELLS_KEPT) {
      sets.set(index, new WriteSet());
    }
    return sets.get(index);
  }

  private void read(WriteSet writes) throws IOException {
    writes.reset(buffer.getLong());
    int tables = buffer.getShort() & 0xFFFF;
    int cells = buffer.getInt();
    require(cells >= 0 && tables <= MOST_TABLES && 8L * tables + 8L * cells <= buffer.remaining());
    for (int i = 0; i < tables; i++) {
      writes.addTable(buffer.getLong());
    }
    for (int i = 0; i < cells; i++) {
      writes.add(buffer.getLong());
    }
  }

  /** Writes the answers to write sets that were decided. */
  void answer(List<WriteSet> batch, Verdict[] verdicts) {
    begin();
    for (int i = 0; i < batch.size(); i++) {
      WriteSet writes = batch.get(i);
      room(9).put((byte) verdicts[i].ordinal());
      if (verdicts[i] == Verdict.GRANTED) {
        buffer.putLong(writes.commit());
      } else if (verdicts[i] == Verdict.CONFLICT) {
        collisions(writes);
      }
    }
  }

  private void collisions(WriteSet writes) {
    int count = 0;
    for (int i = 0; i < writes.size(); i++) {
      count += writes.newer(i) == 0 ? 0 : 1;
    }
    ByteBuffer to = room(4 + 12L * count);
    to.putInt(count);
    for (int i = 0; i < writes.size(); i++) {
      if (writes.newer(i) != 0) {
        to.putInt(i).putLong(writes.newer(i));
      }
    }
  }

  /**
   * Reads the answers that were received into the write sets that were asked for.
   *
   * @throws IOException when they are none
   */
  void answered(List<WriteSet> batch, Verdict[] verdicts) throws IOException {
    try {
      for (int i = 0; i < batch.size(); i++) {
        WriteSet writes = batch.get(i);
        int verdict = buffer.get();
        require(verdict >= 0 && verdict < VERDICTS.length);
        verdicts[i] = VERDICTS[verdict];
        if (verdicts[i] == Verdict.GRANTED) {
          writes.grant(buffer.getLong());
        } else if (verdicts[i] == Verdict.CONFLICT) {
          for (int left = buffer.getInt(); left > 0; left--) {
            int index = buffer.getInt();
            require(index >= 0 && index < writes.size());
            writes.collides(index, buffer.getLong());
          }
        }
      }
      require(!buffer.hasRemaining());
    } catch (BufferUnderflowException e) {
      throw new IOException("An answer ends too early.", e);
    }
  }

  /** Receives the length of a message and the message. */
  void receive(DataInputStream from) throws IOException {
    receive(from, Room.ENDLESS);
  }

  /**
   * Receives the length of a message and the message.
   *
   * @param room for the received bytes; {@link #rest} gives it back
   */
  void receive(DataInputStream from, Room room) throws IOException {
    int length = from.readInt();
    require(length >= 0 && length <= MOST_BYTES);
    int have = 0;
    while (have < length) {
      int next = Math.min(length, Math.max(bytes.length, have + STEP_BYTES));
      if (next > bytes.length) {
        room.take(next - bytes.length);
        bytes = Arrays.copyOf(bytes, next);
      }
      from.readFully(bytes, have, next - have);
      have = next;
    }
    buffer = ByteBuffer.wrap(bytes, 0, length);
  }

  /** Room for so many bytes more. */
  private ByteBuffer room(long more) {
    if (buffer.remaining() < more) {
      int used = buffer.position();
      long wanted = Math.max(used + more, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, wanted));
      buffer = ByteBuffer.wrap(bytes).position(used);
    }
    return buffer;
  }

  /** Begins a message, in memory that a large one before it may have taken. */
  private void begin() {
    if (bytes.length > STEP_BYTES) {
      bytes = new byte[FIRST_BYTES];
    }
    buffer = ByteBuffer.wrap(bytes);
  }

  /** Releases the memory that a large message has taken. */
  void rest() {
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[FIRST_BYTES];
      buffer = ByteBuffer.wrap(bytes);
      sets.clear();
    }
  }

  private static void require(boolean holds) throws IOException {
    if (!holds) {
      throw new IOException("The other side does not speak this protocol.");
    }
  }
}
