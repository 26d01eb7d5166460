package io.braid.groups.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Where the segments of a log are kept: on a disk of this machine, or in a Hadoop file system. */
interface LogFolder {
  /** The names of all files. */
  List<String> names() throws IOException;

  /** Returns the whole content of a file, up to the last force if it is still being written. */
  byte[] read(String name) throws IOException;

  /** Begins a file; its existence is as durable as forced data. */
  OpenFile create(String name) throws IOException;

  /**
   * Lists a file whose head was forced, because it will contain acknowledged entries. The loss of a
   * listed file is reported.
   */
  default void keep(String name) throws IOException {}

  void delete(String name) throws IOException;

  /** Where a file is, in words for operators. */
  String whereIs(String name);

  /**
   * Checks that the log is not sealed, after entries were forced and before they are acknowledged.
   *
   * @throws IOException when others have sealed this log, and may not see the entries forced last
   */
  void requireUnsealed() throws IOException;

  /** A file that is being written. */
  interface OpenFile extends Closeable {
    /** Writes the first bytes of an array. */
    void write(byte[] bytes, int length) throws IOException;

    /**
     * Keeps only the first {@code length} bytes; the next ones come behind them.
     *
     * @throws IOException when that is not possible, or not known to have happened
     */
    default void cut(long length) throws IOException {
      throw new IOException("What was written to this file cannot be taken back.");
    }

    /**
     * Waits until other processes, if there are any, can read the written data.
     *
     * @param synced whether the data has to survive the machine too
     */
    void force(boolean synced) throws IOException;
  }
}
