package io.braid.percolator.garbage;

import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.TransactionException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects garbage, in the background and when it is asked to. Safe for many threads. */
@API(status = API.Status.EXPERIMENTAL)
public final class Collector {
  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
  private static final String LOCK = "garbage-collection";

  private final CellStore store;
  private final Seams seams;
  private final Participants participants;
  private final CollectionOptions options;
  private final PublishedReaders readers;
  private final LowWatermark watermark;
  private final Resumption resumption;
  private volatile @Nullable CollectionReport running;
  private volatile @Nullable CollectionReport last;
  private volatile CollectionReport.Counts total = CollectionReport.Counts.NONE;
  private volatile long raised;
  private volatile boolean closed;

  /**
   * @param oracle one that checks that its timestamps rise
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public Collector(
      CellStore store,
      TimestampOracle oracle,
      Seams seams,
      Participants participants,
      CollectionOptions options) {
    this.store = store;
    this.seams = seams;
    this.participants = participants;
    this.options = options;
    this.readers = new PublishedReaders(store, seams, options);
    this.watermark = new LowWatermark(store, oracle, seams, participants, readers);
    this.resumption = new Resumption(store);
  }

  public CollectionOptions options() {
    return options;
  }

  /** Collects as the options say; to be called by a duty. */
  public void collectOnce() {
    CollectionRequest request = CollectionRequest.keep(options.keep()).rate(options.rate());
    Optional<CollectionReport> report = collect(request, each -> {}, () -> false);
    report.ifPresent(each -> LOG.debug("Collected: {}", each));
  }

  /**
   * Collects garbage.
   *
   * @param progress receives each step, on this thread
   * @param stop ends the collection early; the next one continues there
   * @return empty when another collection is running
   * @throws UnknownTableException when the requested table does not exist
   * @throws StoreException when the store does not let it go on; the next collection continues
   *     there
   */
  public Optional<CollectionReport> collect(
      CollectionRequest request, Consumer<CollectionReport> progress, BooleanSupplier stop) {
    request.table().ifPresent(this::requireTable);
    String token = seams.liveness().token();
    if (!request.dryRun() && !seams.locks().tryLock(LOCK, token)) {
      return Optional.empty();
    }
    try {
      BooleanSupplier stopped =
          () -> closed || stop.getAsBoolean() || Thread.currentThread().isInterrupted();
      Pass pass =
          new Pass(
              store,
              seams,
              participants,
              resumption,
              request,
              each -> {
                running = each;
                raised = request.dryRun() ? raised : each.watermark();
                progress.accept(each);
              },
              stopped);
      CollectionReport report = pass.run(watermark);
      if (!request.dryRun()) {
        raised = report.watermark();
        last = report;
        total = total.plus(report.counts());
      }
      return Optional.of(report);
    } finally {
      running = null;
      if (!request.dryRun()) {
        seams.locks().unlock(LOCK, token);
      }
    }
  }

  private void requireTable(String name) {
    if (store.table(name).isEmpty()) {
      throw new UnknownTableException("There is no table " + name + ".");
    }
  }

  /**
   * Ensures that a snapshot of the past that was just pinned is kept from now on.
   *
   * @throws TransactionException {@code SNAPSHOT_TOO_OLD} when it is too late for that
   */
  public void requireKept(long timestamp) {
    watermark.requireKept(timestamp);
  }

  /** As {@link #requireKept requireKept}, for a snapshot that this process just began to read. */
  public void requireReadable(long timestamp) {
    if (options.publishes() && !readers.covers(timestamp)) {
      readers.publish(Math.min(timestamp, participants.lowestActive()));
    }
    watermark.requireKept(timestamp);
  }

  /**
   * Whether a recent snapshot that this process has just begun to read is kept, as far as is known
   * without asking the store. This is so if this process has neither collected up to the snapshot
   * nor allowed others to do so. If another process has collected, the reads of the snapshot find
   * out.
   */
  public boolean keeps(long timestamp) {
    return timestamp >= raised && (!options.publishes() || readers.covers(timestamp));
  }

  /**
   * Publishes that this process reads nothing below a timestamp; to be called by a duty.
   *
   * @param lowest the timestamp below which nothing here is or will be read
   */
  public void publish(long lowest) {
    readers.publish(lowest);
  }

  /** Returns the reports of the running and the last collection, and the counts of all. */
  public CollectionStatistics statistics() {
    return new CollectionStatistics(
        store.watermark(), Optional.ofNullable(running), Optional.ofNullable(last), total);
  }

  /** Ends the running collection; the next one continues there. */
  public void close() {
    closed = true;
    if (options.publishes()) {
      withdraw();
    }
  }

  private void withdraw() {
    try {
      readers.withdraw();
    } catch (StoreException e) {
      LOG.debug("What this process read stays published until others see that it is dead.", e);
    }
  }
}
