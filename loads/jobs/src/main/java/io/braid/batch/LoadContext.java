package io.braid.batch;

import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Transactions;
import org.apiguardian.api.API;

/**
 * The database that jobs work on; {@code Braid.loads()} gives it.
 *
 * @param loadable which tables may be loaded
 * @param changes knows which columns are observed
 * @param smallValueBytes values up to this size are in the commit record, larger ones apart
 */
@API(status = API.Status.EXPERIMENTAL)
public record LoadContext(
    @API(status = API.Status.INTERNAL) CellStore store,
    @API(status = API.Status.INTERNAL) Transactions transactions,
    @API(status = API.Status.INTERNAL) LoadableTables loadable,
    @API(status = API.Status.INTERNAL) TimestampOracle oracle,
    @API(status = API.Status.INTERNAL) ChangeSink changes,
    @API(status = API.Status.INTERNAL) Seams seams,
    @API(status = API.Status.INTERNAL) Limits limits,
    @API(status = API.Status.INTERNAL) int smallValueBytes) {

  /**
   * For other packages of Braid.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public LoadContext {}
}
