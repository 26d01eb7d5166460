package io.braid.percolator;

import io.braid.core.store.DamagedCellException;
import io.braid.core.store.Outcome;
import io.braid.core.store.StoreException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.Transactions.ReadAhead;
import io.braid.percolator.reads.ItemCache;
import io.braid.percolator.reads.SnapshotReader;
import io.braid.percolator.resolution.IntentResolver;
import io.braid.percolator.rows.ForeignIntent;
import io.braid.percolator.rows.SnapshotRead;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads for several transactions at once the cells that each of them will ask for next. Asks for
 * intents in the way once, together. Cells that are still not readable are left to the later read,
 * which waits if necessary.
 */
final class ReadingAhead {
  private static final Logger LOG = LoggerFactory.getLogger(ReadingAhead.class);

  private final SnapshotReader reader;

  ReadingAhead(SnapshotReader reader) {
    this.reader = reader;
  }

  /** Reads ahead, and returns the reads that failed. */
  List<ReadAhead> read(List<ReadAhead> reads) {
    List<Open> open = new ArrayList<>(reads.size());
    for (ReadAhead each : reads) {
      ItemCache.Ahead ahead =
          ((PercolatorTransaction) each.tx()).ahead(each.row(), each.column(), each.version());
      if (ahead != null) {
        open.add(new Open(each, ahead, ahead.request()));
      }
    }
    try {
      List<IntentResolver.Met> met = new ArrayList<>(0);
      open = send(open, met);
      if (!met.isEmpty()) {
        open = send(goOn(open, met), new ArrayList<>(0));
      }
    } catch (UnknownTableException | DamagedCellException e) {
      // One of the reads is the cause. Each read gets its own error later.
      return List.of();
    } catch (StoreException e) {
      LOG.debug("What was to be read ahead is read when it is asked for.", e);
    }
    return open.stream().map(each -> each.read).toList();
  }

  private record Open(ReadAhead read, ItemCache.Ahead ahead, SnapshotRead.Request request) {}

  private List<Open> goOn(List<Open> open, List<IntentResolver.Met> met) {
    long newest = 0;
    for (Open each : open) {
      newest = Math.max(newest, each.request.snapshot());
    }
    IntentResolver.Resolution resolution = reader.resolve(met, newest);
    List<Open> next = new ArrayList<>(open.size());
    for (Open each : open) {
      next.add(new Open(each.read, each.ahead, reader.past(each.request, met, resolution)));
    }
    return next;
  }

  /** Sends all, and notes the intents that are in the way; returns the reads without an answer. */
  private List<Open> send(List<Open> all, List<IntentResolver.Met> met) {
    if (all.isEmpty()) {
      return all;
    }
    List<SnapshotRead.Request> requests = new ArrayList<>(all.size());
    all.forEach(each -> requests.add(each.request));
    List<Outcome<SnapshotRead.Answer>> outcomes = reader.send(requests);
    List<Open> open = new ArrayList<>(0);
    for (int i = 0; i < all.size(); i++) {
      Open each = all.get(i);
      if (!(outcomes.get(i) instanceof Outcome.Done<SnapshotRead.Answer> done)) {
        open.add(each);
      } else if (!each.ahead.keep(done.result())) {
        open.add(each);
        for (ForeignIntent intent : done.result().blocking()) {
          met.add(new IntentResolver.Met(requests.get(i).row(), intent));
        }
      }
    }
    return open;
  }
}
