package io.braid.simulation.workload;

import io.braid.core.data.Row;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The work of clients on a table while the table is loaded. */
public final class LoadClients {
  private final LoadJournal journal;

  public LoadClients(LoadJournal journal) {
    this.journal = journal;
  }

  /** Reads or appends. */
  public void step(Client client) {
    try {
      if (client.random().nextInt(3) == 0) {
        look(client);
      } else {
        append(client);
      }
    } catch (TransactionException | StoreException | TimestampUnavailableException e) {
      // The journal has the outcome.
    }
  }

  private void look(Client client) {
    try (Snapshot now = client.transactions().snapshot()) {
      Map<Integer, String> seen = new LinkedHashMap<>();
      for (int key = LoadJournal.SHARED; key < LoadJournal.KEYS; key++) {
        seen.put(key, now.get(LoadJournal.row(key), LoadJournal.COLUMN).orElse(""));
      }
      journal.saw(now.timestamp(), seen);
    }
  }

  private void append(Client client) {
    int one = client.random().nextInt(LoadJournal.SHARED);
    int other = client.random().nextInt(LoadJournal.SHARED);
    List<Integer> keys = one == other ? List.of(one) : List.of(one, other);
    String element = journal.newElement();
    Transaction tx = client.transactions().begin();
    long start = tx.timestamp();
    Map<Integer, String> read = new LinkedHashMap<>();
    try (tx) {
      for (int key : keys) {
        Row row = LoadJournal.row(key);
        String list = tx.get(row, LoadJournal.COLUMN).orElse("");
        read.put(key, list);
        tx.set(row, LoadJournal.COLUMN, list + "," + element);
      }
      // A client that dies from here on may have committed.
      journal.appends(element, start, read);
      journal.appended(start, tx.commit());
    }
  }

  /** Reads everything, however often that has to be tried. */
  public void audit(Client client) {
    boolean read = false;
    while (!read) {
      try (Snapshot now = client.transactions().snapshot()) {
        for (int key = 0; key < LoadJournal.KEYS; key++) {
          journal.ended(key, now.get(LoadJournal.row(key), LoadJournal.COLUMN).orElse(""));
        }
        read = true;
      } catch (TransactionException | StoreException | TimestampUnavailableException e) {
        client.seams().sleep(Duration.ofMillis(100));
      }
    }
  }
}
