package io.braid.gateway.rpc;

import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.http.HttpRefusal;
import io.braid.rpc.v1.ScanResponse;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The scans whose rows are on their way to callers. Their number is bounded. A scan whose caller
 * takes nothing for a while is ended, since it holds a snapshot.
 */
final class OpenScans implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Seams seams;

  /** Bytes of heap for each scan: one holds some MiB of rows, of which most are on their way. */
  private static final long EACH = 8 << 20;

  private final Calls calls;
  private final int most;
  private final Duration patience;
  private final Set<ScanStream> open = ConcurrentHashMap.newKeySet();
  private final Duty watch;

  /**
   * @param most at a time; fewer where there is little memory
   * @param patience with a caller that takes nothing
   */
  OpenScans(Seams seams, Calls calls, int most, Duration patience) {
    this.seams = seams;
    this.calls = calls;
    this.most = (int) Math.min(most, Math.max(4, Runtime.getRuntime().maxMemory() / EACH));
    this.patience = patience;
    this.watch = Duty.start(seams, "watch-scans", PERIOD, this::endStalled);
  }

  /** Begins to send rows. Called by the thread of the network, which is not held up. */
  void begin(ServerCallStreamObserver<ScanResponse> out, ScanStream.Source source) {
    if (open.size() >= most) {
      Calls.refuse(
          out, new HttpRefusal(429, "too many scans", most + " scans run here: try again later."));
      return;
    }
    ScanStream stream = new ScanStream(seams, calls, out, source, open::remove);
    open.add(stream);
    stream.start();
  }

  /** How many are open. */
  int count() {
    return open.size();
  }

  private boolean endStalled() {
    long now = seams.nanoTime();
    for (ScanStream each : open) {
      if (each.idleNanos(now) > patience.toNanos()) {
        each.giveUp(
            new HttpRefusal(
                408,
                "stalled",
                "Nobody took rows for "
                    + patience.toSeconds()
                    + " s: scan on after the last key, at the same timestamp."));
      }
    }
    return false;
  }

  @Override
  public void close() {
    watch.close();
    HttpRefusal ending = new HttpRefusal(503, "ending", "This node is ending: ask another one.");
    open.forEach(each -> each.giveUp(ending));
  }
}
