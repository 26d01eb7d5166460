package io.braid.benchmarks.brokerage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A system with the tables of the brokerage and transactions over them. */
interface Books extends AutoCloseable {
  /** The work of a transaction. */
  interface Work {
    void on(Page page) throws Exception;
  }

  /** The tables, within a transaction. Keys are ordered as unsigned bytes. */
  interface Page {
    byte @Nullable [] get(Table table, byte[] key) throws Exception;

    /**
     * Reads a value that the transaction is going to write. No update by others in between is lost.
     */
    byte @Nullable [] getForUpdate(Table table, byte[] key) throws Exception;

    void put(Table table, byte[] key, byte[] value) throws Exception;

    /** Returns the first values whose keys begin with {@code prefix}, in the order of the keys. */
    List<byte[]> values(Table table, byte[] prefix, int limit) throws Exception;

    /** Schedules the addition of a commission to a broker's row soon after the commit. */
    default void earnLater(long broker, long trade, long commission) throws Exception {
      throw new UnsupportedOperationException("Nobody adds up commissions here.");
    }
  }

  /**
   * Runs {@code work} in a transaction. Retries after a conflict.
   *
   * @return the number of retries
   */
  int run(Work work) throws Exception;

  /** Returns when all commissions have been added up. */
  default void settle() {}

  @Override
  void close() throws Exception;
}
