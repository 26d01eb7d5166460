package io.braid.gateway.rpc;

import io.braid.core.runtime.Seams;
import io.braid.gateway.api.Result;
import io.braid.gateway.api.RowCalls;
import io.braid.http.AnswerMemory;
import io.braid.http.HttpRefusal;
import io.braid.http.RpcCall;
import io.braid.rpc.v1.ScanResponse;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One scan on its way to its caller. Rows are read only as fast as the caller takes them: while the
 * network is full, no thread waits, and nothing is read. Code that finds a reason to go on (there
 * is room, the call was cancelled, the scan is given up) calls {@link #wake}. Only one of these
 * calls works at a time.
 */
final class ScanStream {
  private static final int ROWS = 256;
  private static final long BYTES = 64 << 10;

  /** How often a message is in memory until it is taken: as rows, and as bytes. */
  private static final long COPIES = 3;

  /** Messages after which other calls get their turn. */
  private static final int TURN = 64;

  private final Seams seams;
  private final Calls calls;
  private final ServerCallStreamObserver<ScanResponse> out;
  private final Source source;
  private final @Nullable RpcCall call;
  private final Consumer<ScanStream> onEnd;
  private final AtomicInteger wakes = new AtomicInteger();
  private volatile long moved;
  private volatile @Nullable HttpRefusal givenUp;
  // Used by the working thread.
  private RowCalls.@Nullable Rows rows;
  private boolean begun;
  private boolean ended;

  /** Where the rows come from. */
  interface Source {
    RowCalls.Rows open() throws IOException;
  }

  /**
   * @param onEnd called when this stream has ended
   */
  ScanStream(
      Seams seams,
      Calls calls,
      ServerCallStreamObserver<ScanResponse> out,
      Source source,
      Consumer<ScanStream> onEnd) {
    this.seams = seams;
    this.calls = calls;
    this.out = out;
    this.source = source;
    this.onEnd = onEnd;
    this.moved = seams.nanoTime();
    this.call = Guard.CALL.get();
  }

  void start() {
    out.setOnReadyHandler(this::wake);
    out.setOnCancelHandler(this::wake);
    wake();
  }

  /** For how long nothing was sent. */
  long idleNanos(long now) {
    return now - moved;
  }

  /** Ends it early. */
  void giveUp(HttpRefusal why) {
    givenUp = why;
    wake();
  }

  private void wake() {
    if (wakes.getAndIncrement() == 0) {
      goOn();
    }
  }

  /** Goes on with the work; called by the thread whose turn it is. */
  private void goOn() {
    if (!calls.tryWorker(call, this::work)) {
      end();
      Calls.refuse(out, Calls.busy());
    }
  }

  private void work() {
    int seen = wakes.get();
    boolean turnOver = false;
    while (true) {
      if (!ended) {
        turnOver = send();
      }
      if (turnOver) {
        goOn();
        return;
      }
      seen = wakes.addAndGet(-seen);
      if (seen == 0) {
        return;
      }
    }
  }

  /**
   * Sends while there is room. Returns true if it could go on, but other calls are to have their
   * turn.
   */
  private boolean send() {
    try {
      HttpRefusal why = givenUp;
      if (why != null) {
        throw why;
      }
      if (out.isCancelled()) {
        end();
        return false;
      }
      RowCalls.Rows from = rows;
      if (from == null) {
        if (call != null) {
          call.requireRoom();
        }
        from = source.open();
        rows = from;
      }
      for (int i = 0; i < TURN; i++) {
        if (!out.isReady()) {
          return false;
        }
        if (call != null) {
          call.endEarlierParts();
        }
        if (!message(from)) {
          end();
          out.onCompleted();
          return false;
        }
      }
      return true;
    } catch (IOException | RuntimeException | Error e) {
      try {
        end();
      } finally {
        Calls.refuse(out, e);
      }
      return false;
    }
  }

  /**
   * Sends some rows, and in any case the timestamp of the snapshot. Returns false when there are no
   * more.
   */
  private boolean message(RowCalls.Rows from) {
    try (AnswerMemory.Hold hold = Calls.hold(call)) {
      List<Result.Cells> some = from.next(ROWS, BYTES);
      if (some.isEmpty() && begun) {
        return false;
      }
      begun = true;
      ScanResponse.Builder message = ScanResponse.newBuilder().setAt(from.at());
      some.forEach(row -> message.addRows(Messages.row(row)));
      ScanResponse whole = message.build();
      if (call != null) {
        call.givePart(COPIES * whole.getSerializedSize());
      }
      out.onNext(whole);
      moved = seams.nanoTime();
      return !some.isEmpty();
    }
  }

  private void end() {
    ended = true;
    onEnd.accept(this);
    RowCalls.Rows from = rows;
    rows = null;
    if (from != null) {
      from.close();
    }
  }
}
