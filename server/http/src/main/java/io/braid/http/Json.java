package io.braid.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.failure.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Objects as they come and go. */
public final class Json {
  /** The longest body of a request, where nothing else is said. */
  public static final int LIMIT = 4 << 20;

  /** How often a body is in memory while it is read: as bytes, as text, as what it means. */
  private static final int COPIES = 4;

  private static final int DEPTH = 32;

  /** The number of letters that are examined together. */
  private static final int PIECE = 8192;

  /** The text that Jackson puts in place of the redacted source. */
  private static final Pattern NO_SOURCE = Pattern.compile("\\[Source: REDACTED [^;\\]]*; ");

  private static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH)
                          .maxNumberLength(40)
                          .maxStringLength(64 << 20)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Json() {}

  /**
   * Returns the same body if it has no other fields: the meaning of another field would be ignored.
   *
   * @throws HttpRefusal when there is another field
   */
  public static ObjectNode only(Set<String> fields, ObjectNode body) {
    body.fieldNames()
        .forEachRemaining(
            name -> {
              if (!fields.contains(name)) {
                throw new HttpRefusal(
                    400,
                    ErrorCode.BAD_REQUEST.word(),
                    "'"
                        + name
                        + "' means nothing here. There may be: "
                        + String.join(", ", new TreeSet<>(fields))
                        + ".");
              }
            });
    return body;
  }

  /**
   * Reads a whole number of an object.
   *
   * @param otherwise the value if there is no such field
   * @throws HttpRefusal 400 when the field is not a whole number
   */
  public static long whole(JsonNode object, String field, long otherwise) {
    JsonNode value = object.path(field);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.canConvertToExactIntegral() || !value.canConvertToLong()) {
      throw new HttpRefusal(
          400, ErrorCode.BAD_REQUEST.word(), "'" + field + "' is a whole number.");
    }
    return value.asLong();
  }

  /** As {@link #whole}, of those that are no longer than an int. */
  public static int small(JsonNode object, String field, int otherwise) {
    long value = whole(object, field, otherwise);
    if ((int) value != value) {
      throw new HttpRefusal(400, ErrorCode.BAD_REQUEST.word(), "'" + field + "' is too large.");
    }
    return (int) value;
  }

  /** Whether an object says true; as {@link #whole} otherwise. */
  public static boolean flag(JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw new HttpRefusal(400, ErrorCode.BAD_REQUEST.word(), "'" + field + "' is true or false.");
    }
    return value.asBoolean();
  }

  public static ObjectNode object() {
    return JSON.createObjectNode();
  }

  /** An object and the end of its line; half pairs of surrogates become question marks. */
  static byte[] line(JsonNode body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Writer text = new OutputStreamWriter(bytes, StandardCharsets.UTF_8)) {
      JSON.writer().without(JsonGenerator.Feature.AUTO_CLOSE_TARGET).writeValue(text, body);
      text.write('\n');
    }
    return bytes.toByteArray();
  }

  /** As {@link #read(InputStream, int)}, up to {@link #LIMIT}. */
  public static ObjectNode read(InputStream in) throws IOException {
    return read(in, LIMIT);
  }

  /**
   * Reads an object; nothing at all counts as an empty one.
   *
   * @param most bytes that it may have
   * @throws HttpRefusal when it is longer, or no object
   */
  public static ObjectNode read(InputStream in, int most) throws IOException {
    try {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new HttpRefusal(
            413, ErrorCode.TOO_LONG.word(), "A body has at most " + most + " bytes.");
      }
      AnswerMemory.take((long) COPIES * bytes.length + AnswerMemory.VALUE * values(bytes), 1);
      return read(bytes);
    } catch (OutOfMemoryError e) {
      throw AnswerMemory.ended(false); // nothing was begun
    }
  }

  /**
   * As {@link #read(InputStream)}.
   *
   * @throws HttpRefusal when it is no object
   */
  public static ObjectNode read(byte[] bytes) throws IOException {
    if (bytes.length == 0) {
      return object();
    }
    requireUtf8(bytes);
    try {
      if (JSON.readTree(bytes) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException e) {
      String why = NO_SOURCE.matcher(e.getOriginalMessage()).replaceAll("[");
      throw new HttpRefusal(400, "not json", "The body is no JSON: " + why);
    }
    throw new HttpRefusal(400, "not json", "The body must be a JSON object.");
  }

  /** Returns about how many values a text contains. */
  private static long values(byte[] text) {
    long values = 0;
    boolean quoted = false;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '"') {
        quoted = !quoted;
      } else if (quoted && text[i] == '\\') {
        i++; // what follows ends no string
      } else if (!quoted && (text[i] == ',' || text[i] == '[' || text[i] == '{')) {
        values++;
      }
    }
    return values;
  }

  /** Jackson takes some bytes for letters that no other reader does. */
  private static void requireUtf8(byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(Math.min(bytes.length, PIECE));
    CoderResult result = decoder.decode(in, out, true);
    while (result.isOverflow()) {
      out.clear();
      result = decoder.decode(in, out, true);
    }
    if (result.isError()) {
      throw new HttpRefusal(
          400, "not json", "The body is no UTF-8 from byte " + in.position() + " on.");
    }
  }
}
