package io.braid.examples.webindex;

import io.braid.Braid;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.observers.ClusterPage;
import io.braid.examples.webindex.observers.ElectCanonical;
import io.braid.examples.webindex.observers.InvertLinks;
import io.braid.examples.webindex.observers.ParsePage;
import io.braid.examples.webindex.observers.PostWords;
import io.braid.examples.webindex.observers.TallyLinks;
import io.braid.examples.webindex.tables.Clusters;
import io.braid.examples.webindex.tables.Links;
import io.braid.examples.webindex.tables.Pages;
import io.braid.examples.webindex.tables.Tables;
import io.braid.observers.Observer;
import io.braid.observers.ObserverStats;
import io.braid.observers.rows.DeadLetter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The web index over a database: its tables, its observers, and its contents. */
public final class WebIndex {
  static final List<Observer> OBSERVERS =
      List.of(
          Observer.of("web.parse", Pages.TABLE, Pages.CONTENT, ParsePage::observe),
          Observer.of("web.cluster", Pages.TABLE, Pages.DIGEST, ClusterPage::observe),
          Observer.of("web.invert", Pages.TABLE, Pages.LINKS, InvertLinks::observe),
          Observer.of("web.post", Pages.TABLE, Pages.TEXT, PostWords::observe),
          Observer.weak("web.tally", Links.TABLE, Links.CHANGED, TallyLinks::observe),
          Observer.weak("web.elect", Clusters.TABLE, Clusters.CHANGED, ElectCanonical::observe));

  private static final Duration SOON = Duration.ofMillis(10);
  private static final long LOOK_AGAIN_NANOS = 50_000;

  private final Braid db;

  private WebIndex(Braid db) {
    this.db = db;
  }

  /** Creates the tables where they are missing, registers the observers and starts to run them. */
  public static WebIndex start(Braid db) {
    createTables(db);
    OBSERVERS.forEach(db::observe);
    db.startWorkers();
    return new WebIndex(db);
  }

  static void createTables(Braid db) {
    Tables.families()
        .forEach((table, families) -> db.ensureTable(table, families.toArray(String[]::new)));
  }

  /** Returns whether the database holds a web index with at least one page. */
  public static boolean isIn(Braid db) {
    if (Tables.families().keySet().stream().anyMatch(table -> db.store().table(table).isEmpty())) {
      return false;
    }
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of(Pages.TABLE).column(Pages.URL).limit(1))) {
      return rows.hasNext();
    }
  }

  /** Removes the tables with all that is in them; before {@link #start}. */
  public static void drop(Braid db) {
    Tables.families().keySet().forEach(db.store()::dropTable);
  }

  public Loader loader() {
    return new Loader(db.transactions());
  }

  public Snapshot snapshot() {
    return db.snapshot();
  }

  public Counts counts() {
    try (Snapshot now = db.snapshot()) {
      return Counts.of(now);
    }
  }

  /**
   * Waits until every change of a page has gone through all observers.
   *
   * @throws IndexingException when a change became a dead letter since the start
   */
  public void awaitFresh() {
    boolean fresh = awaitFresh(SOON);
    while (!fresh) {
      fresh = awaitFresh(SOON);
    }
  }

  /** As {@link #awaitFresh()}; false when it takes longer. */
  public boolean awaitFresh(Duration atMost) {
    boolean fresh = db.awaitObserversIdle(atMost);
    for (DeadLetter letter : db.observerStats().latestDeadLetters()) {
      throw new IndexingException(letter);
    }
    return fresh;
  }

  /**
   * Waits until every change that this process knows of has gone through all observers; much
   * cheaper than {@link #awaitFresh()}, which searches the database. The same if only this process
   * writes.
   */
  public void awaitQuiet() {
    ObserverStats stats = db.observerStats();
    while (stats.pending() > 0) {
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      stats = db.observerStats();
    }
    if (stats.hintsDropped() > 0 || stats.deadLetters() > 0) {
      awaitFresh();
    }
  }

  public ObserverStats observerStats() {
    return db.observerStats();
  }
}
