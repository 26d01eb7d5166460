package io.braid.benchmarks.brokerage;

import io.braid.benchmarks.brokerage.Books.Page;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of the brokerage, in the shares of TPC-E. Their queries are planned by hand, as
 * in section 3.3 of the Percolator paper. A trade counts when it is executed.
 */
final class Mix {
  /** The handling of a trade's commission. */
  enum Commission {
    /**
     * The commission is omitted, as in the paper: a broker's row would be written every few
     * seconds.
     */
    omitted,
    /** The transaction of the trade writes the broker's row, as in TPC-E. */
    updated,
    /** The commission is recorded beside the trade, and an observer adds it to the broker's row. */
    added_up
  }

  /**
   * The kinds of transactions, with their number in a thousand. The shares are those of TPC-E,
   * without Data-Maintenance.
   */
  private enum Kind {
    MARKET_WATCH(180),
    TRADE_STATUS(190),
    SECURITY_DETAIL(140),
    CUSTOMER_POSITION(130),
    TRADE_ORDER(101),
    TRADE_RESULT(100),
    TRADE_LOOKUP(80),
    BROKER_VOLUME(49),
    TRADE_UPDATE(20),
    MARKET_FEED(10);

    private final int share;

    Kind(int share) {
      this.share = share;
    }

    static Kind drawn(SplittableRandom random) {
      int left = random.nextInt(1000);
      for (Kind kind : values()) {
        left -= kind.share;
        if (left < 0) {
          return kind;
        }
      }
      return MARKET_WATCH;
    }
  }

  private static final int LOOKED_AT = 20;
  private static final int UPDATED = 3;
  private static final long PRICE_MOVES = 5;

  private final Market market;
  private final Books books;
  private final Commission commission;
  private final LongAdder trades = new LongAdder();
  private final LongAdder conflicts = new LongAdder();

  Mix(Market market, Books books, Commission commission) {
    this.market = market;
    this.books = books;
    this.commission = commission;
  }

  /** Returns the number of executed trades. */
  long trades() {
    return trades.sum();
  }

  /** Returns the number of retries of transactions. */
  long conflicts() {
    return conflicts.sum();
  }

  /** Runs one transaction of the mix. */
  void step(SplittableRandom random) throws Exception {
    Kind kind = Kind.drawn(random);
    switch (kind) {
      case TRADE_ORDER -> order(random);
      case TRADE_RESULT -> result(random);
      default -> conflicts.add(books.run(page -> other(kind, page, random)));
    }
  }

  private void other(Kind kind, Page page, SplittableRandom random) throws Exception {
    switch (kind) {
      case MARKET_WATCH -> {
        for (int i = 0; i < LOOKED_AT; i++) {
          there(page.get(Table.LAST_TRADE, Fields.key(market.security(random))));
        }
      }
      case TRADE_STATUS -> {
        byte[] account = Fields.key(market.customer(random));
        there(page.get(Table.ACCOUNT, account));
        for (byte[] entry : page.values(Table.TRADE_OF_ACCOUNT, account, LOOKED_AT)) {
          there(page.get(Table.TRADE, Fields.key(Fields.at(entry, 0))));
        }
      }
      case SECURITY_DETAIL -> {
        byte[] security = Fields.key(market.security(random));
        there(page.get(Table.SECURITY, security));
        there(page.get(Table.LAST_TRADE, security));
        page.values(Table.DAILY, security, Market.DAYS);
      }
      case CUSTOMER_POSITION -> position(page, market.customer(random));
      case TRADE_LOOKUP -> {
        for (int i = 0; i < LOOKED_AT; i++) {
          there(page.get(Table.TRADE, Fields.key(market.trade(random))));
        }
      }
      case BROKER_VOLUME -> {
        for (int i = 0; i < LOOKED_AT; i++) {
          there(page.get(Table.BROKER, Fields.key(random.nextLong(market.brokers()))));
        }
      }
      case TRADE_UPDATE -> {
        for (int i = 0; i < UPDATED; i++) {
          byte[] key = Fields.key(market.trade(random));
          byte[] trade = there(page.getForUpdate(Table.TRADE, key));
          page.put(Table.TRADE, key, Fields.with(trade, 5, random.nextLong()));
        }
      }
      case MARKET_FEED -> {
        for (int i = 0; i < LOOKED_AT; i++) {
          byte[] key = Fields.key(market.security(random));
          byte[] last = there(page.getForUpdate(Table.LAST_TRADE, key));
          long price = Math.max(1, Fields.at(last, 0) + random.nextLong(-PRICE_MOVES, PRICE_MOVES));
          page.put(Table.LAST_TRADE, key, Fields.with(last, 0, price));
        }
      }
      default -> throw new IllegalStateException("Not here: " + kind);
    }
  }

  private void position(Page page, long customer) throws Exception {
    byte[] key = Fields.key(customer);
    long account = Fields.at(there(page.get(Table.CUSTOMER, key)), 0);
    there(page.get(Table.ACCOUNT, Fields.key(account)));
    page.values(Table.HOLDING, Fields.key(account), 2 * Market.HOLDINGS);
    for (int n = 0; n < Market.HOLDINGS; n++) {
      there(page.get(Table.LAST_TRADE, Fields.key(market.held(account, n))));
    }
  }

  private void order(SplittableRandom random) throws Exception {
    long account = market.customer(random);
    long security = market.held(account, random.nextInt(Market.HOLDINGS));
    long count = random.nextLong(1, 10);
    long trade = market.lastTrade().incrementAndGet();
    conflicts.add(
        books.run(
            page -> {
              there(page.get(Table.CUSTOMER, Fields.key(account)));
              there(page.get(Table.ACCOUNT, Fields.key(account)));
              there(page.get(Table.BROKER, Fields.key(market.broker(account))));
              there(page.get(Table.SECURITY, Fields.key(security)));
              long price = Fields.at(there(page.get(Table.LAST_TRADE, Fields.key(security))), 0);
              page.put(
                  Table.TRADE, Fields.key(trade), Fields.value(account, security, count, price, 0));
              page.put(
                  Table.TRADE_OF_ACCOUNT,
                  Fields.key(account, Long.MAX_VALUE - trade),
                  Fields.value(trade));
            }));
    market.pending().add(trade);
  }

  private void result(SplittableRandom random) throws Exception {
    Long trade = market.executed();
    if (trade == null) {
      order(random);
      return;
    }
    conflicts.add(books.run(page -> execute(page, trade)));
    trades.increment();
  }

  private void execute(Page page, long trade) throws Exception {
    byte[] ordered = there(page.getForUpdate(Table.TRADE, Fields.key(trade)));
    long account = Fields.at(ordered, 0);
    long security = Fields.at(ordered, 1);
    long count = Fields.at(ordered, 2);
    long price = Fields.at(there(page.get(Table.LAST_TRADE, Fields.key(security))), 0);
    byte[] holding = Fields.key(account, security);
    byte[] held = page.getForUpdate(Table.HOLDING, holding);
    page.put(Table.HOLDING, holding, Fields.value((held == null ? 0 : Fields.at(held, 0)) + count));
    byte[] cash = there(page.getForUpdate(Table.ACCOUNT, Fields.key(account)));
    page.put(
        Table.ACCOUNT,
        Fields.key(account),
        Fields.with(cash, 0, Fields.at(cash, 0) - count * price));
    byte[] done = Fields.with(Fields.with(ordered, 3, price), 4, 1);
    page.put(Table.TRADE, Fields.key(trade), done);
    earn(page, market.broker(account), trade, count);
  }

  private void earn(Page page, long broker, long trade, long earned) throws Exception {
    switch (commission) {
      case omitted -> {}
      case updated -> {
        byte[] row = there(page.getForUpdate(Table.BROKER, Fields.key(broker)));
        byte[] sum = Fields.with(row, 0, Fields.at(row, 0) + earned);
        page.put(Table.BROKER, Fields.key(broker), Fields.with(sum, 1, Fields.at(sum, 1) + 1));
      }
      case added_up -> page.earnLater(broker, trade, earned);
    }
  }

  /**
   * Counts the trades in the rows of the brokers: all executed trades, unless commissions are
   * omitted.
   */
  long tradesOfBrokers() throws Exception {
    books.settle();
    long[] sum = {0};
    books.run(
        page -> {
          sum[0] = 0;
          for (long broker = 0; broker < market.brokers(); broker++) {
            sum[0] += Fields.at(there(page.get(Table.BROKER, Fields.key(broker))), 1);
          }
        });
    return sum[0];
  }

  private static byte[] there(byte @Nullable [] value) {
    if (value == null) {
      throw new IllegalStateException("A row that was written is missing.");
    }
    return value;
  }
}
