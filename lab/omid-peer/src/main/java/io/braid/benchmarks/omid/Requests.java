package io.braid.benchmarks.omid;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.apache.omid.tso.client.CellId;
import org.apache.omid.tso.client.OmidClientConfiguration;
import org.apache.omid.tso.client.TSOClient;
import org.apache.omid.tso.client.TSOFuture;
import org.jspecify.annotations.Nullable;

/**
 * Requests to Omid's transaction manager alone, with a number of them outstanding at once over some
 * clients.
 */
final class Requests {
  private static final int CELLS = 3;

  private final String manager;
  private final int clients;
  private final int outstanding;

  Requests(String manager, int clients, int outstanding) {
    this.manager = manager;
    this.clients = clients;
    this.outstanding = outstanding;
  }

  private record Cell(long id) implements CellId {
    @Override
    public long getCellId() {
      return id;
    }

    @Override
    public long getTableId() {
      return 1;
    }

    @Override
    public long getRowId() {
      return id;
    }
  }

  private interface Request {
    TSOFuture<Long> send(TSOClient client, SplittableRandom random) throws Exception;
  }

  /** Returns the start timestamps a second. */
  double begins(long millis) throws Exception {
    return perSecond(millis, () -> (client, random) -> client.getNewStartTimestamp());
  }

  /** Returns the answered commits of three cells a second. */
  double commits(long millis) throws Exception {
    return perSecond(
        millis,
        () -> {
          Starts starts = new Starts();
          return (client, random) -> {
            Set<CellId> cells = new HashSet<>();
            while (cells.size() < CELLS) {
              cells.add(new Cell(random.nextLong()));
            }
            return client.commit(starts.next(client), cells);
          };
        });
  }

  /**
   * Start timestamps for one task. Each is used once, because the client identifies its requests by
   * them. Omid leaves room for a transaction's checkpoints above each timestamp; the numbers in
   * that room serve as start timestamps too. The next timestamp is requested in advance, so that no
   * commit waits for it.
   */
  private static final class Starts {
    private static final int ROOM = 50;

    private @Nullable TSOFuture<Long> ahead;
    private long start;
    private int used = ROOM;

    long next(TSOClient client) throws Exception {
      if (used == ROOM) {
        TSOFuture<Long> asked = ahead;
        start = (asked == null ? client.getNewStartTimestamp() : asked).get();
        ahead = client.getNewStartTimestamp();
        used = 0;
      }
      return start + used++;
    }
  }

  private interface Preparation {
    Request prepare();
  }

  private double perSecond(long millis, Preparation preparation) throws Exception {
    LongAdder answered = new LongAdder();
    List<Thread> threads = new ArrayList<>();
    long begin = System.nanoTime();
    long end = begin + millis * 1_000_000;
    for (int i = 0; i < clients; i++) {
      SplittableRandom random = new SplittableRandom(i);
      OmidClientConfiguration configuration = new OmidClientConfiguration();
      configuration.setConnectionString(manager);
      TSOClient client = TSOClient.newInstance(configuration);
      Request request = preparation.prepare();
      Thread thread = new Thread(() -> send(client, request, random, end, answered));
      thread.start();
      threads.add(thread);
    }
    for (Thread each : threads) {
      each.join();
    }
    return answered.sum() * 1e9 / (System.nanoTime() - begin);
  }

  private void send(
      TSOClient client, Request request, SplittableRandom random, long end, LongAdder answered) {
    int share = outstanding / clients;
    Semaphore free = new Semaphore(share);
    try {
      while (System.nanoTime() < end) {
        free.acquire();
        request
            .send(client, random)
            .addListener(
                () -> {
                  answered.increment();
                  free.release();
                },
                Runnable::run);
      }
      free.acquire(share);
      client.close().get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
