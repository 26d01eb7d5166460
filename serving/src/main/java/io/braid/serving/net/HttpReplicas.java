package io.braid.serving.net;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.failure.ErrorCode;
import io.braid.http.Json;
import io.braid.serving.ServingException;
import io.braid.serving.client.ReplicaFailedException;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.ring.Node;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.Hint;
import io.braid.serving.writable.ReplicaAgreement;
import io.braid.serving.writable.ReplicaNetwork;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Replicas of read-write stores, reached over HTTP. */
public final class HttpReplicas implements ReplicaNetwork {
  private static final int OK = 200;
  private static final int MISDIRECTED = 421;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int LOCKED = 423;

  /** For what is asked of a node by its number, not as a replica. */
  private static final long NO_RING = -1;

  private static final int MOST_ENTRIES = 1_000_000;

  private final Duration timeout;
  private final String token;
  private final HttpClient client;

  /**
   * @param token the nodes'; empty if they have none
   */
  public HttpReplicas(Duration timeout, String token) {
    this.timeout = timeout;
    this.token = token;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout)
            .build();
  }

  @Override
  public List<VersionedValue> get(Node node, String store, Bytes key, long ring)
      throws IOException {
    return VersionedValue.decodeAll(ask(node, store, "get", new Encoder().bytes(key), ring));
  }

  @Override
  public boolean put(Node node, String store, Bytes key, VersionedValue fresh, long ring)
      throws IOException {
    return write(node, store, "put", new Encoder().bytes(key), fresh, ring);
  }

  @Override
  public boolean putFirst(Node master, String store, Bytes key, VersionedValue fresh, long ring)
      throws IOException {
    return write(master, store, "first", new Encoder().bytes(key), fresh, ring);
  }

  @Override
  public boolean mirror(Node other, String store, Bytes key, VersionedValue fresh)
      throws IOException {
    return write(other, store, "mirror", new Encoder().bytes(key), fresh, NO_RING);
  }

  @Override
  public Bytes digest(Node other, String store, ReplicaAgreement.Span span) throws IOException {
    Encoder body = new Encoder().varint(span.asker()).bool(span.after() != null);
    if (span.after() != null) {
      body.bytes(span.after());
    }
    return ask(other, store, "digest", body.bytes(span.last()), NO_RING).bytes();
  }

  @Override
  public void hint(Node keeper, Hint hint, VersionedValue missed) throws IOException {
    Encoder body = new Encoder().varint(hint.node()).bytes(hint.key());
    write(keeper, hint.store(), "hint", body, missed, NO_RING);
  }

  @Override
  public boolean keepsHints(Node keeper, String store) throws IOException {
    return ask(keeper, store, "hinted", new Encoder(), NO_RING).bool();
  }

  @Override
  public List<Engine.Entry> entries(
      Node node, String store, @Nullable Bytes after, @Nullable Integer master) throws IOException {
    Encoder body = after(after);
    if (master != null) {
      body.varint(master);
    }
    return entries(ask(node, store, "entries", body, NO_RING));
  }

  @Override
  public ReplicaEntries rest(Node node, String store, @Nullable Bytes after) throws IOException {
    Decoder from = ask(node, store, "rest", after(after), NO_RING);
    return new ReplicaEntries(from.bool(), entries(from));
  }

  private static Encoder after(@Nullable Bytes key) {
    Encoder body = new Encoder().bool(key != null);
    return key == null ? body : body.bytes(key);
  }

  private static List<Engine.Entry> entries(Decoder from) {
    int count = from.count(MOST_ENTRIES);
    List<Engine.Entry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(new Engine.Entry(from.bytes(), VersionedValue.decodePlains(from)));
    }
    return entries.stream()
        .map(e -> new Engine.Entry(e.key(), VersionedValue.decodeTries(e.siblings(), from)))
        .toList();
  }

  @Override
  public Optional<ImportState> imported(Node node, String store) throws IOException {
    return new HttpImportNode(node, token, client).state(store);
  }

  private boolean write(
      Node node, String store, String what, Encoder body, VersionedValue fresh, long ring)
      throws IOException {
    fresh.encode(body);
    return ask(node, store, what, body, ring).bool();
  }

  private Decoder ask(Node node, String store, String what, Encoder body, long ring)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(node.address() + "/rw/" + store + "/" + what))
            .timeout(timeout)
            .header("Content-Type", Wire.TYPE)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body.finish().toArray()));
    if (ring != NO_RING) {
      request.header(Wire.RING, Long.toString(ring));
    }
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<InputStream> response =
        TimedRequest.send(client, request.build(), "Interrupted while a node was asked.");
    try (InputStream in = response.body()) {
      byte[] answer = Wire.body(in, Wire.LONGEST);
      if (response.statusCode() == MISDIRECTED) {
        throw new WrongNodeException(
            Json.read(answer).path("message").asText(),
            response.headers().firstValueAsLong(Wire.TOPOLOGY).orElse(0));
      }
      if (response.statusCode() == LOCKED) {
        throw new ServingException(
            ErrorCode.WRITES_REFUSED, Json.read(answer).path("message").asText());
      }
      if (response.statusCode() == BAD_REQUEST && what.equals("first")) {
        throw new IllegalArgumentException(Json.read(answer).path("message").asText());
      }
      if (response.statusCode() != OK) {
        // A node that lost its disk knows no store until it learns the topology. After that it
        // refuses to take writes first for some time.
        JsonNode told = Json.read(answer);
        throw new ReplicaFailedException(
            told.path("message").asText("status " + response.statusCode()),
            response.statusCode() == NOT_FOUND
                || told.path("error").asText().equals(ErrorCode.REFILLING.word()));
      }
      return new Decoder(Bytes.wrap(answer));
    }
  }
}
