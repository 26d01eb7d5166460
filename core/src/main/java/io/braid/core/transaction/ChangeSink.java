package io.braid.core.transaction;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import org.apiguardian.api.API;

/**
 * The reports of every writing transaction that observers need. Safe for many threads, never
 * blocks.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface ChangeSink {
  /** Whether writes of this column carry a notification. */
  boolean isObserved(String table, ColumnName column);

  /**
   * Hints that a transaction of this process has committed a change, or a weak notification, of an
   * observed column. May be dropped: the notification is in the store.
   *
   * @param start the start timestamp of the transaction, which is the version of the notification
   * @param commit its commit timestamp
   */
  void changed(Row row, ColumnName column, long start, long commit);

  /** A sink without observers. */
  ChangeSink NONE =
      new ChangeSink() {
        @Override
        public boolean isObserved(String table, ColumnName column) {
          return false;
        }

        @Override
        public void changed(Row row, ColumnName column, long start, long commit) {}
      };
}
