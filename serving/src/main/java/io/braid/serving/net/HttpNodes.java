package io.braid.serving.net;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.http.Json;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.Compression;
import io.braid.serving.client.NodeNetwork;
import io.braid.serving.client.ReadAnswer;
import io.braid.serving.client.ReadRequest;
import io.braid.serving.client.ReplicaFailedException;
import io.braid.serving.client.ValuesTooLongException;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.node.MissedPush;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Nodes reached over HTTP; addresses are {@code http://HOST:PORT}. */
public final class HttpNodes implements NodeNetwork {
  private static final int OK = 200;
  private static final int GONE = 410;
  private static final int TOO_LONG = 413;
  private static final int MISDIRECTED = 421;

  private final Duration timeout;
  private final HttpClient client;

  /**
   * @param timeout for connecting, and for an answer
   */
  public HttpNodes(Duration timeout) {
    this.timeout = timeout;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout)
            .build();
  }

  @Override
  public Topology bootstrap(String address) throws IOException {
    HttpResponse<InputStream> response = send(request(address, "/cluster").build());
    try (InputStream in = response.body()) {
      byte[] body = Wire.body(in, Wire.LONGEST);
      if (response.statusCode() != OK) {
        throw new ReplicaFailedException(message(body));
      }
      return TopologyText.decode(Json.read(body));
    }
  }

  @Override
  public ReadAnswer read(String address, ReadRequest request) throws IOException {
    HttpRequest.Builder builder =
        request(address, "/stores/" + request.store() + "/read")
            .header("Content-Type", Wire.TYPE)
            .header(Wire.TOPOLOGY, Long.toString(request.topology()))
            .POST(HttpRequest.BodyPublishers.ofByteArray(Wire.keys(request.keys())));
    if (request.version() != 0) {
      builder.header(Wire.VERSION, Long.toString(request.version()));
    }
    request.part().ifPresent(part -> builder.header(Wire.PART, part.text()));
    HttpResponse<InputStream> response = send(builder.build());
    try (InputStream in = response.body()) {
      byte[] body = Wire.body(in, Wire.LONGEST);
      switch (response.statusCode()) {
        case OK -> {
          return new ReadAnswer(
              number(response, Wire.VERSION),
              (int) number(response, Wire.SCHEMA),
              number(response, Wire.TOPOLOGY),
              unpacked(response, Wire.values(body, request.keys().size())));
        }
        case GONE -> throw new ServingException(ErrorCode.VERSION_GONE, message(body));
        case TOO_LONG -> throw new ValuesTooLongException(message(body));
        case MISDIRECTED ->
            throw new WrongNodeException(message(body), number(response, Wire.TOPOLOGY));
        default -> throw new ReplicaFailedException(message(body));
      }
    }
  }

  /** Values are unpacked by those who asked for them (section 3). */
  private static List<Optional<Bytes>> unpacked(
      HttpResponse<InputStream> response, List<Optional<Bytes>> values) {
    Compression compression =
        Compression.named(response.headers().firstValue(Wire.COMPRESSION).orElse(""));
    return compression == Compression.NONE
        ? values
        : values.stream().map(value -> value.map(compression::unpack)).toList();
  }

  /** Returns which nodes missed the last pushes of the stores of a node, by store. */
  Map<String, MissedPush> missed(String address) throws IOException {
    HttpResponse<InputStream> response = send(request(address, "/missed").build());
    try (InputStream in = response.body()) {
      byte[] body = Wire.body(in, Json.LIMIT);
      if (response.statusCode() != OK) {
        throw new ReplicaFailedException(message(body));
      }
      Map<String, MissedPush> missed = new TreeMap<>();
      Json.read(body)
          .fields()
          .forEachRemaining(
              store -> missed.put(store.getKey(), MissedPush.decode(store.getValue())));
      return missed;
    }
  }

  private HttpRequest.Builder request(String address, String path) {
    return HttpRequest.newBuilder(URI.create(address + path)).timeout(timeout);
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    return TimedRequest.send(client, request, "Interrupted while a node was asked.");
  }

  private static long number(HttpResponse<?> response, String header) {
    return response.headers().firstValueAsLong(header).orElse(0);
  }

  private static String message(byte[] body) throws IOException {
    JsonNode answer = Json.read(body);
    return answer.path("message").asText("no reason was given");
  }
}
