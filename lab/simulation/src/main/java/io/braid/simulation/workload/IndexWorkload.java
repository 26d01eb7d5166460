package io.braid.simulation.workload;

import io.braid.Braid;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.indexes.Index;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * People who move between a few cities and are found by the city. A reader compares the answer of
 * the index with a scan at the same snapshot.
 */
public final class IndexWorkload {
  public static final String TABLE = "people";
  public static final String FAMILY = "f";

  private static final String INDEX = "people.city";
  private static final Column<String> CITY = Column.of(FAMILY, "city", Codecs.utf8());

  /** How many there are. */
  public static final int PEOPLE = 40;

  private static final int MOST_TABLETS = 12;
  private static final int CITIES = 5;
  private static final Duration BETWEEN_CHANGES = Duration.ofMillis(700);

  private final SimRandom random;
  private final List<String> wrong = new ArrayList<>();
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private int changing;
  private boolean stopped;

  public IndexWorkload(SimRandom random) {
    this.random = random;
    for (String each :
        List.of("moves", "looks", "splits", "creations", "follows", "moved", "drops")) {
      counts.put(each, 0L);
    }
  }

  /** Cuts the table before a person. */
  public void split(Braid db, int number) {
    if (db.store().tablets(TABLE).size() < MOST_TABLETS) {
      db.store().splitTablet(TABLE, person(number).key());
      count("splits");
    }
  }

  private static Row person(int number) {
    return Row.of(TABLE, Keys.of(number));
  }

  private static String city(int number) {
    return "city" + number;
  }

  private void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  public Map<String, Long> operations() {
    return counts;
  }

  /** Returns what was found wrong so far. */
  public List<String> wrong() {
    return wrong;
  }

  /** Moves a person, or looks. */
  public void step(Client client, Braid db) {
    try {
      if (client.random().chance(0.3)) {
        look(client, db);
      } else {
        move(client, db);
      }
    } catch (TransactionException | StoreException | TimestampUnavailableException e) {
      // The table and the index together show the outcome.
    }
  }

  private void move(Client client, Braid db) {
    int people = 1 + client.random().nextInt(3);
    try (Transaction tx = client.transactions().begin()) {
      for (int i = 0; i < people; i++) {
        Row person = person(client.random().nextInt(PEOPLE));
        if (client.random().chance(0.2)) {
          tx.delete(person, CITY);
        } else {
          tx.set(person, CITY, city(client.random().nextInt(CITIES)));
        }
        client.dawdle();
      }
      if (client.random().chance(0.1)) {
        compare(db, tx, client.random().nextInt(CITIES));
      }
      tx.commit();
      count("moves");
    }
  }

  private void look(Client client, Braid db) {
    try (Snapshot now = client.transactions().snapshot()) {
      client.dawdle();
      if (compare(db, now, client.random().nextInt(CITIES))) {
        count("looks");
      }
    }
  }

  /** Whether there was an index to compare with. */
  private boolean compare(Braid db, Snapshot reads, int number) {
    List<Row> found;
    try {
      found = db.indexes().find(reads, TABLE, CITY, city(number));
    } catch (IllegalArgumentException e) {
      // There is none now, or it is younger than the snapshot.
      return false;
    }
    Set<Row> standing = new TreeSet<>();
    try (RowCursor rows = reads.scan(Scan.of(TABLE).column(CITY))) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        if (row.get(CITY).filter(city(number)::equals).isPresent()) {
          standing.add(row.row());
        }
      }
    }
    if (!List.copyOf(standing).equals(found)) {
      wrong.add(
          "index: at "
              + reads.timestamp()
              + " it finds "
              + found
              + " in "
              + city(number)
              + ", where the table has "
              + standing);
    }
    return true;
  }

  /** Creates the index, has it follow the tablets, drops it; again until stopped. */
  public void change(Braid db, Seams seams) {
    changing++;
    try {
      while (!stopped) {
        seams.sleep(Duration.ofNanos(random.around(BETWEEN_CHANGES.toNanos())));
        try {
          changeOnce(db);
        } catch (TransactionException
            | StoreException
            | TimestampUnavailableException
            | IllegalArgumentException e) {
          // The next attempt, of any process, goes on with the change.
        }
      }
    } finally {
      changing--;
    }
  }

  private void changeOnce(Braid db) {
    if (db.indexes().all().stream().noneMatch(Index::ready)) {
      create(db);
    } else if (random.chance(0.1)) {
      db.indexes().drop(INDEX);
      count("drops");
    } else {
      if (random.nextInt(2) == 0) {
        split(db, random.nextInt(PEOPLE));
      }
      db.indexes().follow(INDEX, moved -> counts.merge("moved", moved, Long::sum));
      count("follows");
    }
  }

  private void create(Braid db) {
    try {
      db.indexes().create(INDEX, TABLE, CITY.name(), Index.Kind.LOCAL, seen -> {});
      count("creations");
    } catch (IllegalArgumentException e) {
      // Somebody died while dropping it.
      db.indexes().drop(INDEX);
    }
  }

  /** Nobody begins to change it any more. */
  public void stop() {
    stopped = true;
  }

  public boolean hasStopped() {
    return changing == 0;
  }

  /** Goes on with what was broken off, and looks at everything. */
  public void audit(Braid db, Seams seams) {
    while (!audited(db)) {
      seams.sleep(BETWEEN_CHANGES);
    }
  }

  /**
   * Returns whether the audit was possible. It is not possible while the oracle cannot be reached.
   */
  private boolean audited(Braid db) {
    try {
      create(db);
      if (db.indexes().all().isEmpty()) {
        create(db);
      }
      db.indexes().follow(INDEX, moved -> {});
      try (Snapshot now = db.transactions().snapshot()) {
        for (int i = 0; i < CITIES; i++) {
          if (!compare(db, now, i)) {
            wrong.add("index: it cannot be asked in the end.");
          }
        }
      }
      return true;
    } catch (StoreException | TimestampUnavailableException e) {
      return false;
    }
  }
}
