package io.braid.groups.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Where the segments of a log are kept: on a disk of this machine, or in a Hadoop file system. */
interface LogFolder {
  /** The names of all files. */
  List<String> names() throws IOException;

  /** The whole content of a file, also of one that is being written, up to what was forced. */
  byte[] read(String name) throws IOException;

  /** Begins a file; that it is there is as durable as what is forced. */
  OpenFile create(String name) throws IOException;

  /**
   * Something acknowledged will stand in a file, whose head was forced: should it be lost, say so.
   */
  default void keep(String name) throws IOException {}

  void delete(String name) throws IOException;

  /** Where a file is, in words for operators. */
  String whereIs(String name);

  /**
   * To be asked after entries were forced and before they are acknowledged.
   *
   * @throws IOException when others have sealed this log, and may not see what was forced last
   */
  void requireUnsealed() throws IOException;

  /** A file that is being written. */
  interface OpenFile extends Closeable {
    /** Writes the first bytes of an array. */
    void write(byte[] bytes, int length) throws IOException;

    /**
     * Keeps only so many bytes; the next ones come behind them.
     *
     * @throws IOException when that cannot be, or is not known to have happened
     */
    default void cut(long length) throws IOException {
      throw new IOException("What was written to this file cannot be taken back.");
    }

    /**
     * Waits until others can read what was written, if there are others.
     *
     * @param synced whether it has to survive the machine too
     */
    void force(boolean synced) throws IOException;
  }
}
