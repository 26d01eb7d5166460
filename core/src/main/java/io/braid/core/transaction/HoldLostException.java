package io.braid.core.transaction;

import io.braid.core.data.Row;

/**
 * A key group wanted to write a row that it does not hold, or that another leader holds by now.
 * Nothing was written. Only who brings commits of groups to the store meets it.
 */
public class HoldLostException extends TransactionException {
  public HoldLostException(Row row, String group) {
    super(
        "Group '"
            + group
            + "' does not hold row "
            + row
            + " any more: another leader has taken it over, or it was deleted.",
        null);
  }
}
