package io.braid.testkit.history;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One entry as one line of JSON. */
public final class HistoryLine {
  static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(8).build())
          .build();

  private HistoryLine() {}

  /** The line, its end included. */
  public static byte[] write(HistoryEntry entry) {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    try (JsonGenerator to = JSON.createGenerator(line)) {
      to.writeStartObject();
      to.writeNumberField("process", entry.process());
      to.writeStringField("type", entry.type().name().toLowerCase(Locale.ROOT));
      to.writeNumberField("start", entry.start());
      to.writeNumberField("end", entry.end());
      to.writeArrayFieldStart("ops");
      for (Op op : entry.ops()) {
        OpJson.write(to, op);
      }
      to.writeEndArray();
      if (entry.snapshot() != HistoryEntry.NONE) {
        to.writeNumberField("ts", entry.snapshot());
      }
      if (entry.commit() != HistoryEntry.NONE) {
        to.writeNumberField("commit", entry.commit());
      }
      if (entry.error() != null) {
        to.writeStringField("error", entry.error());
      }
      if (entry.relaxed()) {
        to.writeBooleanField("relaxed", true);
      }
      to.writeEndObject();
      to.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("Nothing can fail in memory.", e);
    }
    return line.toByteArray();
  }

  /**
   * Reads one line, with or without its end. Fields it does not know are passed over.
   *
   * @throws HistoryFormatException when it is no entry
   */
  public static HistoryEntry read(byte[] line) {
    try (JsonParser from = JSON.createParser(line)) {
      OpJson.expect(from.nextToken() == JsonToken.START_OBJECT, "an object");
      Fields fields = new Fields();
      while (from.nextToken() == JsonToken.FIELD_NAME) {
        fields.read(from);
      }
      OpJson.expect(from.currentToken() == JsonToken.END_OBJECT, "the end of the object");
      OpJson.expect(from.nextToken() == null, "one object to a line");
      return fields.entry();
    } catch (JsonProcessingException e) {
      throw new HistoryFormatException("It is no JSON: " + e.getOriginalMessage(), e);
    } catch (IOException | IllegalArgumentException e) {
      throw new HistoryFormatException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The fields of a line, as far as they were met. */
  private static final class Fields {
    private @Nullable Long process;
    private HistoryEntry.@Nullable Type type;
    private @Nullable Long start;
    private @Nullable Long end;
    private @Nullable List<Op> ops;
    private long snapshot = HistoryEntry.NONE;
    private long commit = HistoryEntry.NONE;
    private @Nullable String error;
    private boolean relaxed;

    void read(JsonParser from) throws IOException {
      String field = from.currentName();
      JsonToken token = from.nextToken();
      switch (field) {
        case "process" -> process = OpJson.number(from);
        case "type" -> type = type(from);
        case "start" -> start = OpJson.number(from);
        case "end" -> end = token == JsonToken.VALUE_NULL ? null : OpJson.number(from);
        case "ops" -> ops = ops(from);
        case "ts" -> snapshot = OpJson.number(from);
        case "commit" -> commit = OpJson.number(from);
        case "error" -> error = from.getValueAsString();
        case "relaxed" -> relaxed = from.getValueAsBoolean();
        default -> from.skipChildren();
      }
    }

    private static HistoryEntry.Type type(JsonParser from) throws IOException {
      return switch (from.getValueAsString("")) {
        case "ok" -> HistoryEntry.Type.OK;
        case "fail" -> HistoryEntry.Type.FAIL;
        case "info" -> HistoryEntry.Type.INFO;
        default -> throw new IllegalArgumentException("The type is \"ok\", \"fail\" or \"info\".");
      };
    }

    private static List<Op> ops(JsonParser from) throws IOException {
      OpJson.expect(from.currentToken() == JsonToken.START_ARRAY, "an array of operations");
      List<Op> ops = new ArrayList<>();
      while (from.nextToken() != JsonToken.END_ARRAY) {
        ops.add(OpJson.read(from));
      }
      return ops;
    }

    HistoryEntry entry() {
      if (process == null || type == null || start == null || ops == null) {
        throw new IllegalArgumentException("An entry has process, type, start, end and ops.");
      }
      if (end == null && type != HistoryEntry.Type.INFO) {
        throw new IllegalArgumentException("Only an entry of type \"info\" has no end.");
      }
      long ended = end == null ? Long.MAX_VALUE : end;
      return new HistoryEntry(
          process, type, start, ended, known(type, ops), snapshot, commit, error, relaxed);
    }

    /** Drops reads of unknown values, unless the transaction is OK. */
    private static List<Op> known(HistoryEntry.Type type, List<Op> ops) {
      return type == HistoryEntry.Type.OK
          ? ops
          : ops.stream().filter(op -> !OpJson.isUnknownRead(op)).toList();
    }
  }
}
