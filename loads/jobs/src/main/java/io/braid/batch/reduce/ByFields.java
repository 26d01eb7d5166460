package io.braid.batch.reduce;

import io.braid.batch.mapping.RejectedException;
import java.util.Map;

/**
 * Reduces each named field separately; other fields keep the value of the last record that has
 * them.
 */
final class ByFields implements RecordReducer {
  private final Map<String, FieldReducer> fields;

  ByFields(Map<String, FieldReducer> fields) {
    this.fields = fields;
  }

  @Override
  public Map<String, String> reduce(Map<String, String> earlier, Map<String, String> later) {
    later.forEach(
        (field, value) -> {
          FieldReducer reducer = fields.get(field);
          earlier.merge(
              field, value, (one, other) -> reducer == null ? other : reducer.reduce(one, other));
        });
    return earlier;
  }

  @Override
  public void check(Map<String, String> record) throws RejectedException {
    for (Map.Entry<String, FieldReducer> each : fields.entrySet()) {
      each.getValue().check(record.get(each.getKey()));
    }
  }
}
