package io.braid.benchmarks.brokerage;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The size of the brokerage, the initial contents of its tables, and the market: the ordered trades
 * that are not yet executed.
 *
 * @param customers the number of customers, each with an account; a hundred share a broker, as in
 *     TPC-E
 */
record Market(long customers, Queue<Long> pending, AtomicLong lastTrade) {
  static final int HOLDINGS = 10;
  static final int DAYS = 20;
  static final int TRADES = 10;
  static final long CASH = 1_000_000;
  private static final int CUSTOMERS_OF_A_BROKER = 100;
  private static final int AT_ONCE = 500;

  static Market of(long customers) {
    return new Market(customers, new ConcurrentLinkedQueue<>(), new AtomicLong(customers * TRADES));
  }

  long brokers() {
    return Math.max(1, customers / CUSTOMERS_OF_A_BROKER);
  }

  /** Returns the number of securities. TPC-E has 685 for a thousand customers. */
  long securities() {
    return Math.max(2 * HOLDINGS, customers * 685 / 1000);
  }

  long customer(SplittableRandom random) {
    return random.nextLong(customers);
  }

  long security(SplittableRandom random) {
    return random.nextLong(securities());
  }

  /** Returns the n-th security that an account holds. */
  long held(long account, int n) {
    return (account * 31 + n * (securities() / HOLDINGS)) % securities();
  }

  long broker(long account) {
    return account % brokers();
  }

  /** Returns a trade that was ordered at some time. */
  long trade(SplittableRandom random) {
    return 1 + random.nextLong(customers * TRADES);
  }

  @Nullable Long executed() {
    return pending.poll();
  }

  /** Fills the tables. */
  void load(Books books) throws Exception {
    Loader loader = new Loader(books);
    for (long broker = 0; broker < brokers(); broker++) {
      loader.put(Table.BROKER, Fields.key(broker), Fields.value(0, 0));
    }
    for (long security = 0; security < securities(); security++) {
      loader.put(Table.SECURITY, Fields.key(security), Fields.value(security));
      loader.put(Table.LAST_TRADE, Fields.key(security), Fields.value(100, 0));
      for (int day = 0; day < DAYS; day++) {
        loader.put(Table.DAILY, Fields.key(security, day), Fields.value(100 + day));
      }
    }
    for (long account = 0; account < customers; account++) {
      loader.put(Table.CUSTOMER, Fields.key(account), Fields.value(account));
      loader.put(Table.ACCOUNT, Fields.key(account), Fields.value(CASH, broker(account), account));
      for (int n = 0; n < HOLDINGS; n++) {
        loader.put(Table.HOLDING, Fields.key(account, held(account, n)), Fields.value(100));
      }
      for (int n = 0; n < TRADES; n++) {
        long trade = account * TRADES + n + 1;
        loader.put(
            Table.TRADE, Fields.key(trade), Fields.value(account, held(account, n), 10, 100, 1));
        loader.put(
            Table.TRADE_OF_ACCOUNT,
            Fields.key(account, Long.MAX_VALUE - trade),
            Fields.value(trade));
      }
    }
    loader.flush();
  }

  /** Writes many rows in a transaction. */
  private static final class Loader {
    private record Put(Table table, byte[] key, byte[] value) {}

    private final Books books;
    private final List<Put> puts = new ArrayList<>();

    Loader(Books books) {
      this.books = books;
    }

    void put(Table table, byte[] key, byte[] value) throws Exception {
      puts.add(new Put(table, key, value));
      if (puts.size() == AT_ONCE) {
        flush();
      }
    }

    void flush() throws Exception {
      books.run(
          page -> {
            for (Put each : puts) {
              page.put(each.table, each.key, each.value);
            }
          });
      puts.clear();
    }
  }
}
