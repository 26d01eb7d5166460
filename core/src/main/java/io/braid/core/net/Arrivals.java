package io.braid.core.net;

import io.braid.core.data.Bytes;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Messages that arrive over connections with a task each, from their first byte until they are
 * answered. The length of one message is bounded where it is read; this class bounds the bytes that
 * all of them hold together. When they hold too much, the incomplete message that began first is
 * cut off. If no message is incomplete, the one that wants more bytes is cut off. A single message
 * is never cut off.
 */
public final class Arrivals {
  /** Bytes that each message may hold uncounted: most messages are shorter. */
  private static final int FREE = 16 << 10;

  private static final int STEP = 64 << 10;

  private final long most;
  private final Set<Arrival> holding = new LinkedHashSet<>(); // that which began first comes first
  private long bytes;
  private long cutOff;

  /** Where the bytes of a message go. */
  public interface Room {
    /** Room without a bound. */
    Room ENDLESS = more -> {};

    /**
     * Reserves room for more bytes. To be called before they are in memory.
     *
     * @throws IOException when there is no room for them
     */
    void take(int more) throws IOException;

    /**
     * Reads a number of bytes. The announced length is not trusted: memory grows as bytes arrive,
     * while there is room for them. So bytes that were announced and do not come take no memory.
     *
     * @param length bounded by the caller
     * @throws IOException when they end before, or there is no room for them
     */
    default Bytes read(DataInputStream from, int length) throws IOException {
      byte[] bytes = new byte[Math.min(length, STEP)];
      take(bytes.length);
      int have = 0;
      while (have < length) {
        if (have == bytes.length) {
          int next = Math.min(length, 2 * have);
          take(next - have);
          bytes = Arrays.copyOf(bytes, next);
        }
        from.readFully(bytes, have, bytes.length - have);
        have = bytes.length;
      }
      return Bytes.wrap(bytes);
    }
  }

  /**
   * @param most bytes of all of them
   */
  public Arrivals(long most) {
    this.most = most;
  }

  /** With a share of the heap. */
  public static Arrivals ofMemory() {
    return new Arrivals(Runtime.getRuntime().maxMemory() / 8);
  }

  /** A message is about to come in. */
  public Arrival begin(Socket from) {
    return new Arrival(from);
  }

  /** Returns the bytes of all messages that are long enough to count. */
  public synchronized long bytes() {
    return bytes;
  }

  /** How many were cut off. */
  public synchronized long cutOff() {
    return cutOff;
  }

  private synchronized void hold(Arrival one, int more) throws IOException {
    if (!one.cut) {
      holding.add(one);
      one.held += more;
      bytes += more;
      while (bytes > most && holding.size() > 1) {
        cut(holding.stream().filter(each -> !each.whole).findFirst().orElse(one));
      }
    }
    if (one.cut) {
      throw new IOException("A message was cut off, to make room for others.");
    }
  }

  private void cut(Arrival one) {
    one.cut = true;
    cutOff++;
    forget(one);
    try {
      one.from.close();
    } catch (IOException e) {
      // It has ended by itself.
    }
  }

  private synchronized void forget(Arrival one) {
    if (holding.remove(one)) {
      bytes -= one.held;
    }
  }

  /** One message; used by the task that reads it. */
  public final class Arrival implements Room, AutoCloseable {
    private final Socket from;
    private int free = FREE;
    private long held; // this and what follows is guarded by all of them
    private boolean whole;
    private boolean cut;

    private Arrival(Socket from) {
      this.from = from;
    }

    @Override
    public void take(int more) throws IOException {
      int counted = Math.max(0, more - free);
      free -= more - counted;
      if (counted > 0) {
        hold(this, counted);
      }
    }

    /**
     * Ends the arrival: the message is complete and being answered, so it is not cut off any more.
     */
    public void end() {
      if (free == 0) {
        synchronized (Arrivals.this) {
          whole = true;
        }
      }
    }

    /** It has been answered, or never will be. */
    @Override
    public void close() {
      if (free == 0) {
        forget(this);
      }
    }
  }
}
