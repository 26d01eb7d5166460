package io.braid.core.transaction;

import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * A key group wanted to write a row that it does not hold, or that another leader holds by now.
 * Nothing was written. Only code that brings commits of groups to the store gets this exception.
 */
@API(status = API.Status.STABLE)
public class HoldLostException extends TransactionException {
  public HoldLostException(Row row, String group) {
    super(
        ErrorCode.HELD_BY_GROUP,
        "Group '"
            + group
            + "' does not hold row "
            + row
            + " any more: another leader has taken it over, or it was deleted.",
        null);
  }
}
