package io.braid.client;

import io.braid.core.data.Bytes;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.rpc.v1.RowData;
import io.braid.rpc.v1.ScanOperation;
import io.braid.rpc.v1.ScanRequest;
import io.braid.rpc.v1.ScanResponse;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a stream. The server reads ahead no more than the network holds. A stream that breaks is
 * begun again after the last row, at the same timestamp, so that the caller does not notice.
 */
final class StreamCursor implements RowCursor {
  private final Server server;
  private final Scan scan;
  private final long at;
  private final Deque<RowData> rows = new ArrayDeque<>();
  private Context.CancellableContext context = Context.current().withCancellation();
  private @Nullable Iterator<ScanResponse> stream;
  private @Nullable Bytes last;
  private long given;
  private Server.Patience patience;
  private boolean ended;

  StreamCursor(Server server, Scan scan, long at) {
    this.server = server;
    this.scan = scan;
    this.at = at;
    this.patience = server.patience();
    fill(); // A refused scan throws here.
  }

  @Override
  public boolean hasNext() {
    fill();
    return !rows.isEmpty();
  }

  @Override
  public RowValues next() {
    fill();
    RowData row = rows.poll();
    if (row == null) {
      throw new NoSuchElementException("The scan has no more rows.");
    }
    last = Wire.bytes(row.getKey());
    given++;
    return Wire.values(scan.table(), row);
  }

  private void fill() {
    while (rows.isEmpty() && !ended) {
      if (given >= scan.limit()) {
        close();
        return;
      }
      try {
        more();
      } catch (StatusRuntimeException e) {
        end();
        RuntimeException failure = Failures.of(e);
        if (!goesOn(failure) || patience.isOver()) {
          ended = true;
          throw failure;
        }
        patience.pause();
      }
    }
  }

  private static boolean goesOn(RuntimeException failure) {
    return failure instanceof UnavailableException
        || (failure instanceof RefusedException refused && refused.reason().equals("STALLED"));
  }

  private void more() {
    Iterator<ScanResponse> from = stream;
    if (from == null) {
      from = open();
      stream = from;
    }
    if (from.hasNext()) {
      rows.addAll(from.next().getRowsList());
      patience = server.patience();
    } else {
      ended = true;
    }
  }

  private Iterator<ScanResponse> open() {
    ScanOperation.Builder asked = Wire.scan(scan, last);
    long left = scan.limit() - given;
    if (left <= Integer.MAX_VALUE) {
      asked.setLimit((int) left);
    }
    ScanRequest request = ScanRequest.newBuilder().setScan(asked).setAt(Long.toString(at)).build();
    context = Context.current().withCancellation();
    Context before = context.attach();
    try {
      return server.streams().scan(request);
    } finally {
      context.detach(before);
    }
  }

  private void end() {
    stream = null;
    context.cancel(null);
  }

  @Override
  public void close() {
    ended = true;
    rows.clear();
    end();
  }
}
