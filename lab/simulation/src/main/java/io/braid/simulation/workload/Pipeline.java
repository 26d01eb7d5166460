package io.braid.simulation.workload;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.observers.Observer;
import io.braid.simulation.schedule.SimRandom;
import io.braid.testkit.history.Longs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A chain of observers. Clients write {@code raw}; {@code copy} copies it to {@code copied}, and
 * {@code watch} watches it too; {@code count} follows {@code copied} and notifies the row's group
 * weakly; {@code sum} adds up the group. Each strong observer writes down which change it saw, so
 * that a change that was dealt with twice, or never, shows.
 */
public final class Pipeline {
  public static final String TABLE = "pages";
  public static final String GROUPS = "groups";
  public static final String FAMILY = "f";

  /** The observers that are not weak. */
  public static final List<String> STRONG = List.of("copy", "watch", "count");

  private static final int GROUP_COUNT = 3;
  private static final double FAILURE = 0.05;
  private static final Column<Long> RAW = Column.of(FAMILY, "raw", Codecs.int64());
  private static final Column<Long> COPIED = Column.of(FAMILY, "copied", Codecs.int64());
  private static final Column<Long> GROUP_CHANGED = Column.of(FAMILY, "changed", Codecs.int64());
  private static final Column<Long> SUM = Column.of(FAMILY, "sum", Codecs.int64());
  private static final Column<Longs> SEEN_BY_COPY = log("seen-by-copy");
  private static final Column<Longs> SEEN_BY_WATCH = log("seen-by-watch");
  private static final Column<Longs> SEEN_BY_COUNT = log("seen-by-count");

  /** How long all clients write the same page, when they crowd. */
  private static final Duration TURN = Duration.ofMillis(50);

  /** How long a transaction stays open after a change, when clients crowd. */
  private static final Duration WHILE = Duration.ofMillis(20);

  /** One of so many pages is poisoned. */
  private static final int POISON = 4;

  private static final Column<Long> SPUN = Column.of(FAMILY, "spun", Codecs.int64());

  private final Journal journal;
  private final int pages;
  private boolean crowded;
  private boolean poisoned;
  private boolean loops;
  private boolean spins;

  public Pipeline(Journal journal, int pages) {
    this.journal = journal;
    this.pages = pages;
  }

  /** Whether all write the same few pages for a while, then others. */
  public void crowd(boolean together) {
    crowded = together;
  }

  private int drawn(Client client) {
    if (!crowded) {
      return client.random().nextInt(pages);
    }
    long turn = client.seams().nanoTime() / TURN.toNanos();
    return (int) ((turn + client.random().nextInt(2)) % pages);
  }

  /** Whether {@code watch} fails at some of the pages, however often it is tried. */
  public void poison(boolean fails) {
    poisoned = fails;
  }

  /**
   * Sets whether {@code spin}, once begun, triggers itself again and again. Once it did, processes
   * keep registering it, also processes that begin afterwards: its last change has to be dealt
   * with.
   */
  public void spin(boolean goesOn) {
    loops |= goesOn;
    spins = goesOn;
  }

  public boolean spins() {
    return spins;
  }

  /** Begins the loop. */
  public void beginSpinning(Client client) {
    boolean begun = false;
    while (!begun) {
      begun = journal.transaction(client, (tx, ops) -> tx.set(page(0), SPUN, 0L));
    }
  }

  /** How often {@code spin} has run. */
  public long spun(Client client) {
    long[] spun = new long[1];
    journal.surely(client, (tx, ops) -> spun[0] = tx.get(page(0), SPUN).orElse(0L));
    return spun[0];
  }

  private void spin(Transaction tx, Row row) {
    if (spins) {
      tx.set(row, SPUN, tx.get(row, SPUN).orElse(0L) + 1);
    }
  }

  private static Column<Longs> log(String name) {
    Codec<Longs> codec =
        Codecs.of(
            list -> {
              Encoder to = new Encoder(8 + list.size() * 9).varint(list.size());
              list.forEach(to::varint);
              return to.finish();
            },
            Pipeline::decode);
    return Column.of(FAMILY, name, codec);
  }

  private static Longs decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    List<Long> values = new ArrayList<>();
    for (long left = from.varint(); left > 0; left--) {
      values.add(from.varint());
    }
    from.end();
    return Longs.copyOf(values);
  }

  public Journal journal() {
    return journal;
  }

  /** The observers, failing now and then. */
  public List<Observer> observers(SimRandom random) {
    List<Observer> observers = new ArrayList<>(chain(random));
    if (loops) {
      observers.add(Observer.of("spin", TABLE, SPUN, this::spin));
    }
    return observers;
  }

  private List<Observer> chain(SimRandom random) {
    return List.of(
        Observer.of("copy", TABLE, RAW, (tx, row) -> copy(tx, row, random)),
        Observer.of("watch", TABLE, RAW, (tx, row) -> watch(tx, row, random)),
        Observer.of("count", TABLE, COPIED, (tx, row) -> count(tx, row, random)),
        Observer.weak("sum", GROUPS, GROUP_CHANGED, (tx, row) -> sum(tx, row)));
  }

  private void watch(Transaction tx, Row row, SimRandom random) {
    if (poisoned && number(row) % POISON == 0) {
      throw new IllegalStateException("This page is poisoned.");
    }
    see(tx, row, RAW, SEEN_BY_WATCH, random);
  }

  private void copy(Transaction tx, Row row, SimRandom random) {
    see(tx, row, RAW, SEEN_BY_COPY, random);
    tx.get(row, RAW)
        .ifPresentOrElse(value -> tx.set(row, COPIED, value), () -> tx.delete(row, COPIED));
  }

  private void count(Transaction tx, Row row, SimRandom random) {
    see(tx, row, COPIED, SEEN_BY_COUNT, random);
    tx.notifyWeakly(group(number(row)), GROUP_CHANGED);
  }

  private static void see(
      Transaction tx, Row row, Column<Long> column, Column<Longs> log, SimRandom random) {
    if (random.chance(FAILURE)) {
      throw new IllegalStateException("This observer fails now and then.");
    }
    Longs seen = tx.get(row, log).orElse(Longs.EMPTY);
    tx.set(row, log, seen.plus(tx.lastChanged(row, column).orElse(0)));
  }

  private static void sum(Transaction tx, Row group) {
    long sum = 0;
    try (RowCursor rows = tx.scan(Scan.of(TABLE).column(COPIED))) {
      while (rows.hasNext()) {
        RowValues values = rows.next();
        if (group(number(values.row())).equals(group)) {
          sum += values.get(COPIED).orElse(0L);
        }
      }
    }
    tx.set(group, SUM, sum);
  }

  /** Changes some pages, or notifies a group for nothing. */
  public void step(Client client) {
    SimRandom random = client.random();
    if (random.chance(0.1)) {
      Row group = group(random.nextInt(GROUP_COUNT));
      journal.transaction(client, (tx, ops) -> tx.notifyWeakly(group, GROUP_CHANGED));
      return;
    }
    journal.transaction(
        client,
        (tx, ops) -> {
          for (int i = random.nextInt(3); i >= 0; i--) {
            Row page = page(drawn(client));
            if (random.chance(0.1)) {
              tx.delete(page, RAW);
            } else {
              tx.set(page, RAW, tx.get(page, RAW).orElse(0L) + 1);
            }
            client.dawdle();
            if (crowded) {
              client.seams().sleep(Duration.ofNanos(random.around(WHILE.toNanos())));
            }
          }
          if (random.chance(0.1)) {
            tx.notifyWeakly(group(random.nextInt(GROUP_COUNT)), GROUP_CHANGED);
          }
        });
  }

  /** Returns what is wrong at the end, when every observer has had its time. */
  public List<String> audit(Client client) {
    return audit(
        client,
        (snapshot, wrong) -> {
          seenByAll(snapshot, Set.of(), wrong);
          sums(snapshot, wrong);
        });
  }

  /**
   * Returns what is wrong while there are dead letters: all others must have been dealt with (Fault
   * 33).
   *
   * @param deadLetters the dead letters, by {@link #deadLetter}
   */
  public List<String> audit(Client client, Set<String> deadLetters) {
    return audit(client, (snapshot, wrong) -> seenByAll(snapshot, deadLetters, wrong));
  }

  /** The name of a dead letter. */
  public static String deadLetter(String observer, Row row) {
    return observer + " at " + row;
  }

  private List<String> audit(Client client, BiConsumer<Snapshot, List<String>> look) {
    List<String> wrong = new ArrayList<>();
    journal.surely(
        client,
        (snapshot, ops) -> {
          wrong.clear();
          look.accept(snapshot, wrong);
        });
    return wrong;
  }

  private void seenByAll(Snapshot snapshot, Set<String> deadLetters, List<String> wrong) {
    for (int i = 0; i < pages; i++) {
      Row page = page(i);
      seen(
          snapshot, page, RAW, SEEN_BY_COPY, deadLetters.contains(deadLetter("copy", page)), wrong);
      seen(
          snapshot,
          page,
          RAW,
          SEEN_BY_WATCH,
          deadLetters.contains(deadLetter("watch", page)),
          wrong);
      seen(
          snapshot,
          page,
          COPIED,
          SEEN_BY_COUNT,
          deadLetters.contains(deadLetter("count", page)),
          wrong);
      if (!deadLetters.contains(deadLetter("copy", page))
          && !snapshot.get(page, RAW).equals(snapshot.get(page, COPIED))) {
        wrong.add("Fault 29: " + page + " is not what was copied from it.");
      }
    }
  }

  private void sums(Snapshot snapshot, List<String> wrong) {
    long[] sums = new long[GROUP_COUNT];
    for (int i = 0; i < pages; i++) {
      sums[i % GROUP_COUNT] += snapshot.get(page(i), COPIED).orElse(0L);
    }
    for (int i = 0; i < GROUP_COUNT; i++) {
      long sum = snapshot.get(group(i), SUM).orElse(0L);
      if (sum != sums[i]) {
        wrong.add("Fault 35: " + group(i) + " has the sum " + sum + ", not " + sums[i] + ".");
      }
    }
  }

  /** A deletion that its observers have seen may be collected, and then no change is known. */
  private static void seen(
      Snapshot snapshot,
      Row row,
      Column<Long> observed,
      Column<Longs> log,
      boolean isDeadLetter,
      List<String> wrong) {
    Longs seen = snapshot.get(row, log).orElse(Longs.EMPTY);
    for (int i = 1; i < seen.size(); i++) {
      if (seen.at(i) <= seen.at(i - 1)) {
        wrong.add("Fault 29: a change of " + row + " was dealt with twice: " + log + " " + seen);
      }
    }
    long last = seen.isEmpty() ? 0 : seen.at(seen.size() - 1);
    long changed = snapshot.lastChanged(row, observed).orElse(0);
    boolean forgotten = changed == 0 && snapshot.get(row, observed).isEmpty();
    if (last != changed && !isDeadLetter && !forgotten) {
      wrong.add(
          "Fault 31: the change of "
              + row
              + " at "
              + changed
              + " was followed by no run: "
              + log
              + " "
              + seen);
    }
  }

  private static Row page(int number) {
    return Row.of(TABLE, Keys.of(number));
  }

  private static int number(Row page) {
    return Integer.parseInt(page.key().toUtf8());
  }

  private static Row group(int page) {
    return Row.of(GROUPS, "g" + page % GROUP_COUNT);
  }
}
