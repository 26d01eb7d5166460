package io.braid.serving.fetch;

import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Copies one file from a peer as soon as the peer has it. The file comes from outside instead if
 * the copy fails in any way: the peer is gone, gave up, makes no progress, or has a file with
 * another checksum. A peer only saves a transfer from outside; no node depends on a peer.
 */
final class PeerCopy {
  private static final Duration BETWEEN = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Seams seams;
  private final Peer peer;

  /** The copying itself. */
  interface CopyTask {
    void run() throws IOException;
  }

  PeerCopy(Seams seams, Peer peer) {
    this.seams = seams;
    this.peer = peer;
  }

  /**
   * Copies, when the peer has the file.
   *
   * @return whether the file is here
   */
  boolean run(CopyTask copying, BooleanSupplier stopped) {
    long most = -1;
    long since = seams.nanoTime();
    boolean last = false;
    while (!stopped.getAsBoolean()) {
      try {
        copying.run();
        return true;
      } catch (NoSuchFileException e) {
        // It is not there yet, or never will be.
      } catch (IOException | ServingException e) {
        return false;
      }
      if (last) {
        return false;
      }
      try {
        Peer.FetchState standing = peer.standing();
        last = standing.ended();
        if (standing.fetched() > most) {
          most = standing.fetched();
          since = seams.nanoTime();
        }
      } catch (IOException e) {
        return false;
      }
      if (seams.nanoTime() - since > PATIENCE.toNanos()) {
        return false;
      }
      if (!last) {
        seams.sleep(BETWEEN);
      }
    }
    return false;
  }
}
