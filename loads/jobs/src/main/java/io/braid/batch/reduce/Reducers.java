package io.braid.batch.reduce;

import io.braid.batch.mapping.FieldType;
import io.braid.batch.mapping.Mapping;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reducers by the names that users give them. */
public final class Reducers {
  private static final String LAST_BY = "last:";
  private static final String CLASS = "class:";

  private Reducers() {}

  /**
   * Returns the reducer of a text. {@code last:FIELD} keeps the record whose field is the greatest.
   * {@code FIELD=OPERATION,...} reduces fields, where an operation is {@code sum}, {@code min},
   * {@code max}, {@code first}, {@code last}, {@code concat} or {@code concat:SEPARATOR}; other
   * fields keep the value of the last record that has them. {@code class:NAME} is a {@link
   * RecordReducer} on the class path.
   *
   * @param mapping the types of its columns decide how fields are compared: as numbers, or as text
   * @throws IllegalArgumentException when the text is not valid
   */
  public static RecordReducer parse(String text, Mapping mapping) {
    if (text.startsWith(CLASS)) {
      return ofClass(text.substring(CLASS.length()));
    }
    if (text.startsWith(LAST_BY)) {
      return new LastBy(operand(text, text.substring(LAST_BY.length()), mapping));
    }
    Map<String, FieldReducer> fields = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String field = equals < 1 ? "" : part.substring(0, equals);
      FieldReducer reducer =
          FieldReducer.parse(operand(text, field, mapping), part.substring(equals + 1));
      if (reducer == null || fields.put(field, reducer) != null) {
        throw wrong(text);
      }
    }
    return new ByFields(fields);
  }

  private static FieldReducer.Operand operand(String text, String field, Mapping mapping) {
    if (field.isEmpty()) {
      throw wrong(text);
    }
    if (mapping.key().contains(field)) {
      throw new IllegalArgumentException(
          "Field '" + field + "' is part of the key: all records that are reduced have the same.");
    }
    Mapping.Target target = mapping.columns().get(field);
    boolean number =
        target != null && (target.type() == FieldType.INT64 || target.type() == FieldType.FLOAT64);
    return new FieldReducer.Operand(field, number);
  }

  private static RecordReducer ofClass(String name) {
    try {
      if (Class.forName(name).getConstructor().newInstance() instanceof RecordReducer reducer) {
        return reducer;
      }
      throw new IllegalArgumentException(
          "Class " + name + " does not implement " + RecordReducer.class.getName() + ".");
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("There is no class " + name + " on the class path.", e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "Class " + name + " cannot be made by a public constructor without parameters: " + e, e);
    }
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "'"
            + text
            + "' is no reducer: write last:FIELD, FIELD=sum,FIELD=max,... (also min, first, last,"
            + " concat, concat:SEPARATOR), or class:NAME.");
  }
}
