package io.braid.benchmarks.brokerage;

/** The tables of the brokerage. Keys are numbers of eight bytes, one or two of them. */
enum Table {
  /** By customer: its account. */
  CUSTOMER,
  /** By account: balance, broker, customer. */
  ACCOUNT,
  /** By broker: commission, trades. */
  BROKER,
  /** By security: what it is. */
  SECURITY,
  /** By security: price, volume. */
  LAST_TRADE,
  /** By security and day: the price in the evening. */
  DAILY,
  /** By account and security: how many. */
  HOLDING,
  /** By trade: account, security, how many, price, whether it is done. */
  TRADE,
  /** By account and trade, newest first: the trade. */
  TRADE_OF_ACCOUNT
}
