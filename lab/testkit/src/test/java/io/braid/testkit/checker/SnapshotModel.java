package io.braid.testkit.checker;

import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.Longs;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Strong snapshot isolation in its simplest form, run by one random thread: clients invoke, begin,
 * commit and return in any interleaving. What it records is legal by construction.
 */
final class SnapshotModel {
  private final Random random;
  private final int keyCount;
  private final Map<String, TreeMap<Long, Longs>> versions = new HashMap<>();
  private final List<HistoryEntry> history = new ArrayList<>();
  private long time;
  private long nextValue;
  private long nextProcess;

  private SnapshotModel(long seed, int keyCount) {
    this.random = new Random(seed);
    this.keyCount = keyCount;
  }

  /** A legal history; it ends with a transaction that reads every key. */
  static List<HistoryEntry> run(long seed, int clients, int transactions, int keys) {
    SnapshotModel model = new SnapshotModel(seed, keys);
    model.run(clients, transactions);
    return model.history;
  }

  private void run(int clientCount, int transactions) {
    List<Client> clients = new ArrayList<>();
    for (int c = 0; c < clientCount; c++) {
      clients.add(new Client());
    }
    while (history.size() < transactions) {
      clients.get(random.nextInt(clientCount)).step();
    }
    clients.forEach(Client::finish);
    Client last = new Client();
    last.readsAll = true;
    last.finish();
  }

  private Longs read(String key, long snapshot) {
    TreeMap<Long, Longs> all = versions.getOrDefault(key, new TreeMap<>());
    Map.Entry<Long, Longs> version = all.floorEntry(snapshot);
    return version == null ? Longs.EMPTY : version.getValue();
  }

  /** A client, and the transaction it is at. */
  private final class Client {
    private long process = nextProcess++;
    private boolean readsAll;
    private long start = -1;
    private long snapshot = -1;
    private HistoryEntry.@Nullable Type outcome;
    private List<Op> ops = new ArrayList<>();
    private Map<String, Longs> written = new TreeMap<>();

    void finish() {
      do {
        step();
      } while (start >= 0);
    }

    void step() {
      long now = ++time;
      if (start < 0) {
        start = now;
      } else if (snapshot < 0) {
        snapshot = now;
        readAndAppend();
      } else if (outcome == null) {
        outcome = commit(now);
      } else {
        history.add(
            new HistoryEntry(
                process, outcome, start, now, ops, HistoryEntry.NONE, HistoryEntry.NONE, null));
        process = outcome == HistoryEntry.Type.INFO ? nextProcess++ : process;
        start = -1;
        snapshot = -1;
        outcome = null;
        ops = new ArrayList<>();
        written = new TreeMap<>();
      }
    }

    private void readAndAppend() {
      for (int k = 0; readsAll && k < keyCount; k++) {
        ops.add(new Op.Read("k" + k, read("k" + k, snapshot)));
      }
      int count = readsAll ? 0 : 1 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        String key = "k" + random.nextInt(keyCount);
        Longs before = written.getOrDefault(key, read(key, snapshot));
        if (random.nextBoolean()) {
          ops.add(new Op.Read(key, before));
        } else {
          ops.add(new Op.Append(key, ++nextValue));
          written.put(key, before.plus(nextValue));
        }
      }
    }

    private HistoryEntry.Type commit(long now) {
      boolean conflict =
          written.keySet().stream().anyMatch(k -> !read(k, now).equals(read(k, snapshot)));
      int luck = random.nextInt(20);
      boolean commits = !conflict && (written.isEmpty() || luck != 0);
      if (commits) {
        written.forEach((k, v) -> versions.computeIfAbsent(k, x -> new TreeMap<>()).put(now, v));
      }
      if (luck == 1 && !written.isEmpty()) {
        return HistoryEntry.Type.INFO;
      }
      return commits ? HistoryEntry.Type.OK : HistoryEntry.Type.FAIL;
    }
  }
}
