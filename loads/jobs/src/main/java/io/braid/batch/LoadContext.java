package io.braid.batch;

import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Transactions;

/**
 * The database that jobs work on; {@code Braid.loads()} gives it.
 *
 * @param loadable which tables may be loaded
 * @param changes knows which columns are observed
 * @param smallValueBytes values up to this size are in the commit record, larger ones apart
 */
public record LoadContext(
    CellStore store,
    Transactions transactions,
    LoadableTables loadable,
    TimestampOracle oracle,
    ChangeSink changes,
    Seams seams,
    Limits limits,
    int smallValueBytes) {}
