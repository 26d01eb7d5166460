package io.braid.benchmarks.brokerage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A system that keeps the tables of the brokerage, and has transactions over them. */
interface Books extends AutoCloseable {
  /** What a transaction does. */
  interface Work {
    void on(Page page) throws Exception;
  }

  /** The tables, within a transaction. Keys are ordered as unsigned bytes. */
  interface Page {
    byte @Nullable [] get(Table table, byte[] key) throws Exception;

    /** A value that the transaction is going to write: no update of others in between is lost. */
    byte @Nullable [] getForUpdate(Table table, byte[] key) throws Exception;

    void put(Table table, byte[] key, byte[] value) throws Exception;

    /** The first values whose keys begin with {@code prefix}, in the order of the keys. */
    List<byte[]> values(Table table, byte[] prefix, int limit) throws Exception;

    /** Has a commission added to a broker's row soon after the commit, by whatever does so. */
    default void earnLater(long broker, long trade, long commission) throws Exception {
      throw new UnsupportedOperationException("Nobody adds up commissions here.");
    }
  }

  /**
   * Runs {@code work} in a transaction, again after a conflict.
   *
   * @return how often it had to be run again
   */
  int run(Work work) throws Exception;

  /** Returns when all commissions have been added up. */
  default void settle() {}

  @Override
  void close() throws Exception;
}
