package io.braid.batch.reduce;

import io.braid.batch.mapping.RejectedException;
import java.util.Map;

/**
 * Keeps, of records with one key, the record with the greatest value of a field; of equal values
 * the last. A record without the field gives way to each that has it.
 */
final class LastBy implements RecordReducer {
  private final FieldReducer.Operand operand;

  LastBy(FieldReducer.Operand operand) {
    this.operand = operand;
  }

  @Override
  public Map<String, String> reduce(Map<String, String> earlier, Map<String, String> later) {
    String one = earlier.get(operand.field());
    String other = later.get(operand.field());
    if (other == null) {
      return one == null ? later : earlier;
    }
    return one == null || operand.compare(other, one) >= 0 ? later : earlier;
  }

  @Override
  public void check(Map<String, String> fields) throws RejectedException {
    operand.check(fields.get(operand.field()));
  }
}
