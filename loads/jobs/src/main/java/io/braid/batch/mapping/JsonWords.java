package io.braid.batch.mapping;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Explains errors in JSON that users wrote, in the words of JSON, not of Java.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class JsonWords {
  private JsonWords() {}

  /** Returns the error and its place. */
  public static String of(JsonProcessingException failure) {
    if (failure.getCause() instanceof IllegalArgumentException wrong) {
      return String.valueOf(wrong.getMessage());
    }
    if (failure instanceof UnrecognizedPropertyException unknown) {
      return "there is no field "
          + unknown.getPropertyName()
          + "; there are: "
          + unknown.getKnownPropertyIds().stream()
              .map(Object::toString)
              .sorted()
              .collect(Collectors.joining(", "))
          + ".";
    }
    if (failure instanceof MismatchedInputException wrong) {
      return place(wrong) + " takes " + kind(wrong.getTargetType()) + ".";
    }
    return failure.getOriginalMessage();
  }

  private static String place(JsonMappingException failure) {
    StringBuilder place = new StringBuilder();
    for (Reference each : failure.getPath()) {
      String name = each.getFieldName();
      place.append(
          name == null ? "[" + each.getIndex() + "]" : (place.isEmpty() ? "" : ".") + name);
    }
    return place.isEmpty() ? "it" : "'" + place + "'";
  }

  private static String kind(@Nullable Class<?> type) {
    if (type == null) {
      return "something else";
    }
    if (type == String.class) {
      return "a string";
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
      return "a number";
    }
    if (type.isArray() || Collection.class.isAssignableFrom(type)) {
      return "an array";
    }
    return Map.class.isAssignableFrom(type) || type.isRecord() ? "an object" : "another value";
  }
}
