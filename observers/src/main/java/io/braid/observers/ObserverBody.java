package io.braid.observers;

import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import org.apiguardian.api.API;

/**
 * The code of an observer. It may run several times for one change; at most one of these runs
 * commits (more for weak observers). It may also run once for many changes. So it should change
 * nothing outside of its transaction.
 */
@FunctionalInterface
@API(status = API.Status.STABLE)
public interface ObserverBody {
  /**
   * Reads what changed and writes what follows from it. The transaction is committed afterwards;
   * neither commit it nor roll it back. A conflict is tried again; any other exception counts as a
   * failure of the observer, after which it is tried again a bounded number of times.
   *
   * @param row where the observed column changed
   */
  void observe(Transaction tx, Row row) throws Exception;
}
