package io.braid.batch.mapping;

import io.braid.batch.input.StrictText;
import io.braid.core.data.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The fields that make the key of a row. Only this class joins them and takes them apart, so that
 * writers and readers of a row agree: {@link #split split} returns the input of {@link #join join},
 * and two different lists of values never become one key. Immutable.
 *
 * <p>Only the last field may contain the separator: all text after the preceding separators belongs
 * to the last field.
 *
 * @param names the fields, in their order; at least one
 * @param separator between two values; not empty when there are several fields
 */
@API(status = API.Status.EXPERIMENTAL)
public record KeyFields(List<String> names, String separator) {
  public KeyFields {
    names = List.copyOf(names);
    if (names.isEmpty()) {
      throw new IllegalArgumentException("A mapping names at least one field as \"key\".");
    }
    if (names.size() > 1 && separator.isEmpty()) {
      throw new IllegalArgumentException(
          "A key of several fields needs a \"separator\": without one, two records could get the"
              + " same key. Give a text that none of the fields but the last contains.");
    }
  }

  /**
   * The key of a row.
   *
   * @param values one for each field, in their order
   * @throws IllegalArgumentException when a value is missing, or the key could not be taken apart
   *     into these values
   */
  public Bytes join(List<? extends @Nullable String> values) {
    StringBuilder key = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      String value = values.get(i);
      if (value == null || value.isEmpty()) {
        throw new IllegalArgumentException("Its key field '" + names.get(i) + "' is empty.");
      }
      int begin = key.length();
      key.append(value);
      if (i + 1 < names.size()) {
        int end = key.length();
        key.append(separator);
        if (key.indexOf(separator, begin) != end) {
          throw ambiguous(i, value);
        }
      }
    }
    return StrictText.bytes(key.toString());
  }

  private IllegalArgumentException ambiguous(int field, String value) {
    return new IllegalArgumentException(
        "Its key field '"
            + names.get(field)
            + "' cannot be told from the next: '"
            + value
            + "' has '"
            + separator
            + "' in it or at its end, which separates the fields of a key.");
  }

  /**
   * The values of a key, in the order of the fields.
   *
   * @throws IllegalArgumentException when no values make this key
   */
  public List<String> split(Bytes key) {
    String text = StrictText.of(key);
    List<String> values = new ArrayList<>(names.size());
    int begin = 0;
    for (int i = 0; i < names.size(); i++) {
      boolean last = i + 1 == names.size();
      int end = last ? text.length() : text.indexOf(separator, begin);
      if (end <= begin) {
        throw new IllegalArgumentException(
            "Key " + key + " has no value for field '" + names.get(i) + "'.");
      }
      values.add(text.substring(begin, end));
      begin = end + separator.length();
    }
    return values;
  }
}
