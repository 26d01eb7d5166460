package io.braid.batch.reduce;

import io.braid.batch.mapping.RejectedException;
import java.util.Map;

/**
 * Makes one record of two that have the same key. For more records it is called repeatedly, in the
 * order of the input, and has to be associative: {@code reduce(reduce(a, b), c)} is {@code
 * reduce(a, reduce(b, c))}. It must leave the fields of the key as they are. Called by one thread
 * at a time.
 */
public interface RecordReducer {
  /**
   * Makes one record of two.
   *
   * @param earlier the values of fields as text, by their names; may be changed and returned
   * @param later a record that comes after it in the input
   */
  Map<String, String> reduce(Map<String, String> earlier, Map<String, String> later);

  /**
   * Looks at a record before any is reduced.
   *
   * @throws RejectedException when the record cannot be reduced; the other records of its key are
   *     reduced without it
   */
  default void check(Map<String, String> fields) throws RejectedException {}
}
