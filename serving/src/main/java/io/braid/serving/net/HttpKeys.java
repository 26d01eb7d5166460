package io.braid.serving.net;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.http.AnswerMemory;
import io.braid.http.Escapes;
import io.braid.http.HttpCall;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.serving.ServingException;
import io.braid.serving.StoreNames;
import io.braid.serving.client.Values;
import io.braid.serving.node.Lease;
import io.braid.serving.transform.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads of keys over HTTP. A client that routes by itself says so with {@code Braid-Topology}, and
 * gets an error when it asks the wrong node. For other clients this node asks the right one.
 */
final class HttpKeys {
  /** How often a value is in memory as text until it is on the way. */
  private static final int AS_TEXT = 4;

  private final NodeService service;
  private final NodeEndpoint endpoint;
  private final RoutedReads routed;

  HttpKeys(NodeService service, NodeEndpoint endpoint) {
    this.service = service;
    this.endpoint = endpoint;
    this.routed = endpoint.reads();
  }

  void one(HttpCall call, String store, String escaped) throws IOException {
    byte[] key = key(escaped);
    try (Lease lease = service.readable(store).lease()) {
      ByteBuffer value = AnswerMemory.gathering(() -> lease.view(key, 0, key.length));
      version(call, lease.version(), lease.schema());
      if (value == null) {
        throw noSuchKey(store);
      }
      send(call, part(call, value));
    } catch (ServingException e) {
      if (!RoutedReads.isElsewhere(e) || service.cluster().version() == 0) {
        throw e;
      }
      Values values = routed.read(store, List.of(Bytes.wrap(key)));
      version(call, values.version(), values.schema());
      Bytes value = values.values().get(0).orElseThrow(() -> noSuchKey(store));
      send(call, part(call, value.toBuffer()));
    }
  }

  /** Returns the part of a value that the address asks for, or the whole value. */
  static ByteBuffer part(HttpCall call, ByteBuffer value) {
    Optional<Part> part = HttpTransform.part(call);
    if (part.isEmpty()) {
      return value;
    }
    AnswerMemory.take(value.remaining(), 2);
    byte[] copy = new byte[value.remaining()];
    value.get(copy);
    return part.get().of(Bytes.wrap(copy)).toBuffer();
  }

  static HttpRefusal noSuchKey(String store) {
    return new HttpRefusal(
        404, ErrorCode.NO_SUCH_KEY.word(), "Store " + store + " has no such key.");
  }

  private static void version(HttpCall call, long version, int schema) {
    call.set(Wire.VERSION, Long.toString(version));
    call.set(Wire.SCHEMA, Integer.toString(schema));
  }

  static byte[] key(String escaped) {
    try {
      return Escapes.decode(escaped).getBytes(StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new HttpRefusal(400, "bad key", "The key is not escaped as URLs are, in UTF-8.");
    }
  }

  static void send(HttpCall call, ByteBuffer bytes) throws IOException {
    AnswerMemory.take(bytes.remaining(), 1);
    byte[] body = new byte[bytes.remaining()];
    bytes.get(body);
    call.send(200, "application/octet-stream", body);
  }

  void some(HttpCall call, String store) throws IOException {
    List<Bytes> keys = new ArrayList<>();
    JsonNode asked = Json.only(Set.of("keys"), Json.read(call.body())).path("keys");
    if (!asked.isArray() || asked.size() > Wire.MOST_KEYS) {
      throw new HttpRefusal(
          400, "bad keys", "Write {\"keys\":[...]}, at most " + Wire.MOST_KEYS + ".");
    }
    for (JsonNode key : asked) {
      if (!key.isTextual() && !key.isNumber()) {
        throw new HttpRefusal(400, "bad keys", "A key is text, and no " + key + ".");
      }
      keys.add(Bytes.of(key.asText()));
    }
    Values read = routed.read(store, keys);
    ObjectNode answer = Json.object();
    answer.put("version", read.version());
    answer.put("schema", read.schema());
    ObjectNode values = answer.putObject("values");
    for (int i = 0; i < keys.size(); i++) {
      String key = keys.get(i).toUtf8();
      read.values().get(i).ifPresent(found -> put(values, key, found));
      AnswerMemory.take(read.values().get(i).map(Bytes::length).orElse(0), AS_TEXT);
    }
    call.send(200, answer);
  }

  /** Text, if it is that; else bytes in base64. */
  private static void put(ObjectNode values, String key, Bytes found) {
    String text = found.toUtf8();
    if (Bytes.of(text).equals(found)) {
      values.put(key, text);
    } else {
      values.putObject(key).put("base64", found.toArray());
    }
  }

  /**
   * Answers reads of programs: any bytes, at this node alone, in the version that the request
   * names.
   */
  void read(HttpCall call, String store) throws IOException {
    List<Bytes> keys = Wire.keys(Wire.body(call.body(), Json.LIMIT));
    String version = call.header(Wire.VERSION);
    String asked = call.header(Wire.PART);
    RoutedReads.PackedValues packed =
        endpoint.packed(
            store,
            keys,
            version == null ? 0 : StoreNames.version(version),
            Optional.ofNullable(asked).map(Part::parse));
    Values values = packed.values();
    version(call, values.version(), values.schema());
    call.set(Wire.COMPRESSION, packed.compression().text());
    call.send(200, Wire.TYPE, Wire.values(values.values()));
  }
}
