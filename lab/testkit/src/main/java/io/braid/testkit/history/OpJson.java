package io.braid.testkit.history;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Operations as JSON arrays. */
final class OpJson {
  /** The value for {@code null}: known to be empty only in a committed transaction. */
  private static final Longs UNKNOWN = Longs.of();

  private OpJson() {}

  @SuppressWarnings("ReferenceEquality") // an empty list that was read is another
  static boolean isUnknownRead(Op op) {
    return op instanceof Op.Read read && read.values() == UNKNOWN;
  }

  static void write(JsonGenerator to, Op op) throws IOException {
    to.writeStartArray();
    if (op instanceof Op.Append append) {
      to.writeString("append");
      writeKey(to, append.key());
      to.writeNumber(append.value());
    } else if (op instanceof Op.Read read) {
      to.writeString("r");
      writeKey(to, read.key());
      writeLongs(to, read.values());
    } else if (op instanceof Op.Open open) {
      to.writeString("open");
      writeBalances(to, open.balances());
    } else if (op instanceof Op.Transfer transfer) {
      to.writeString("transfer");
      writeKey(to, transfer.from());
      writeKey(to, transfer.to());
      to.writeNumber(transfer.amount());
    } else if (op instanceof Op.Balances balances) {
      to.writeString("balances");
      writeBalances(to, balances.balances());
    } else if (op instanceof Op.Insert insert) {
      to.writeString("insert");
      to.writeNumber(insert.member());
    } else if (op instanceof Op.Delete delete) {
      to.writeString("delete");
      to.writeNumber(delete.member());
    } else if (op instanceof Op.Range range) {
      to.writeString("range");
      to.writeNumber(range.from());
      to.writeNumber(range.to());
      writeLongs(to, range.members());
    }
    to.writeEndArray();
  }

  static Op read(JsonParser from) throws IOException {
    expect(from.currentToken() == JsonToken.START_ARRAY, "an array for each operation");
    expect(from.nextToken() == JsonToken.VALUE_STRING, "the name of an operation");
    String name = from.getText();
    from.nextToken();
    Op op =
        switch (name) {
          case "append" -> new Op.Append(then(from, key(from)), number(from));
          case "r" -> new Op.Read(then(from, key(from)), longs(from));
          case "open" -> new Op.Open(balances(from));
          case "transfer" ->
              new Op.Transfer(then(from, key(from)), then(from, key(from)), number(from));
          case "balances" -> new Op.Balances(balances(from));
          case "insert" -> new Op.Insert(number(from));
          case "delete" -> new Op.Delete(number(from));
          case "range" ->
              new Op.Range(then(from, number(from)), then(from, number(from)), longs(from));
          default -> throw new IllegalArgumentException("No operation is called \"" + name + "\".");
        };
    expect(from.nextToken() == JsonToken.END_ARRAY, "the end of the operation " + name);
    return op;
  }

  /** Moves on to the next token. */
  private static <T> T then(JsonParser from, T value) throws IOException {
    from.nextToken();
    return value;
  }

  static long number(JsonParser from) throws IOException {
    expect(from.currentToken() == JsonToken.VALUE_NUMBER_INT, "an integer");
    return from.getLongValue();
  }

  /** Keys are texts or integers; 7 and "7" are the same key. */
  private static String key(JsonParser from) throws IOException {
    if (from.currentToken() == JsonToken.VALUE_STRING) {
      return from.getText();
    }
    return Long.toString(number(from));
  }

  private static Longs longs(JsonParser from) throws IOException {
    if (from.currentToken() == JsonToken.VALUE_NULL) {
      return UNKNOWN;
    }
    expect(from.currentToken() == JsonToken.START_ARRAY, "an array of integers");
    Longs.Builder values = new Longs.Builder();
    while (from.nextToken() != JsonToken.END_ARRAY) {
      values.add(number(from));
    }
    return values.build();
  }

  private static Map<String, Long> balances(JsonParser from) throws IOException {
    expect(from.currentToken() == JsonToken.START_OBJECT, "an object of balances");
    Map<String, Long> balances = new TreeMap<>();
    while (from.nextToken() == JsonToken.FIELD_NAME) {
      String account = from.currentName();
      from.nextToken();
      expect(balances.put(account, number(from)) == null, "each account once");
    }
    return balances;
  }

  private static void writeKey(JsonGenerator to, String key) throws IOException {
    if (isNumber(key)) {
      to.writeNumber(Long.parseLong(key));
    } else {
      to.writeString(key);
    }
  }

  private static boolean isNumber(String key) {
    if (key.isEmpty() || key.length() > 18) {
      return false;
    }
    boolean canonical = key.length() == 1 || key.charAt(0) != '0';
    return canonical && key.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static void writeLongs(JsonGenerator to, Longs values) throws IOException {
    to.writeStartArray();
    for (int i = 0; i < values.size(); i++) {
      to.writeNumber(values.at(i));
    }
    to.writeEndArray();
  }

  private static void writeBalances(JsonGenerator to, Map<String, Long> balances)
      throws IOException {
    to.writeStartObject();
    for (Map.Entry<String, Long> account : balances.entrySet()) {
      to.writeNumberField(account.getKey(), account.getValue());
    }
    to.writeEndObject();
  }

  static void expect(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException("Expected " + what + ".");
    }
  }
}
