package io.braid.serving.net;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.http.HttpCall;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.http.RemoteCallKind;
import io.braid.serving.transform.Transform;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.Hint;
import io.braid.serving.writable.ReplicaAgreement.Span;
import io.braid.serving.writable.Resolver;
import io.braid.serving.writable.Siblings;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Read-write stores over HTTP, for people and scripts:
 *
 * <pre>
 * GET    /rw/S/keys/KEY     the value that was written last, with its clock as Braid-Clock
 * PUT    /rw/S/keys/KEY     writes the body; with Braid-Clock only if unchanged since: else 409
 * DELETE /rw/S/keys/KEY
 * POST   /rw/hints          delivers hints now
 * </pre>
 *
 * and between nodes and clients that route by themselves {@code POST /rw/S/get}, {@code put},
 * {@code first}, {@code mirror}, {@code hint}, {@code hinted}, {@code entries}, {@code rest} and
 * {@code digest}, at this replica alone, with binary bodies; the first three name the version of
 * their ring as Braid-Ring. {@link HttpImports} has imports.
 */
final class HttpWritable {
  static final String CLOCK = "Braid-Clock";
  private static final Pattern KEY = Pattern.compile("/rw/([^/]+)/keys/(.+)");
  private static final Pattern STEP =
      Pattern.compile("/rw/([^/]+)/(get|put|first|mirror|hint|hinted|entries|rest|digest)");
  private static final Set<String> READS = Set.of("get", "entries", "rest");
  private static final String HINTS = "/rw/hints";
  private static final int MOST_ENTRIES = 1000;

  private final WritableStores stores;
  private final HttpImports imports;

  HttpWritable(WritableStores stores) {
    this.stores = stores;
    this.imports = new HttpImports(stores.imports());
  }

  /** Whether an address is of a read-write store. */
  static boolean isFor(HttpCall call) {
    return call.path().startsWith("/rw/");
  }

  /**
   * Whether a request changes nothing. By the whole address and the method: a key may be called as
   * a step is.
   */
  static boolean isRead(HttpCall call) {
    String path = call.path();
    if (KEY.matcher(path).matches()) {
      return call.method().equals("GET");
    }
    Matcher step = STEP.matcher(path);
    return step.matches() && READS.contains(step.group(2));
  }

  void handle(HttpCall call) throws IOException {
    call.set(Wire.TOPOLOGY, Long.toString(stores.topologyVersion()));
    HttpTransform.requireKnown(call);
    String path = call.path();
    Matcher key = KEY.matcher(path);
    Matcher step = STEP.matcher(path);
    if (HttpImports.isFor(path)) {
      requirePost(call);
      imports.handle(call, path);
    } else if (key.matches()) {
      one(call, key.group(1), Bytes.wrap(HttpKeys.key(key.group(2))));
    } else if (path.equals(HINTS)) {
      requirePost(call);
      int delivered = RemoteCallKind.NODES.during(stores::pushHints);
      call.send(200, Json.object().put("delivered", delivered));
    } else if (step.matches()) {
      requirePost(call);
      byte[] body = Wire.body(call.body(), Json.LIMIT);
      Decoder from = new Decoder(Bytes.wrap(body));
      long ring = ring(call);
      Bytes answer =
          RemoteCallKind.MIRROR.during(() -> step(step.group(1), step.group(2), from, ring));
      call.send(200, Wire.TYPE, answer.toArray());
    } else {
      throw new HttpRefusal(404, "no such address", "Nothing is at " + path + ".");
    }
  }

  private static void requirePost(HttpCall call) {
    if (!call.method().equals("POST")) {
      throw new HttpRefusal(405, "method", "This is asked for with POST.");
    }
  }

  /** By which ring the caller comes here; any, when it does not say. */
  private static long ring(HttpCall call) {
    String named = call.header(Wire.RING);
    if (named == null) {
      return Long.MAX_VALUE;
    }
    if (!named.matches("\\d{1,18}")) {
      throw new HttpRefusal(400, "ring", "'" + named + "' is no version of a ring.");
    }
    return Long.parseLong(named);
  }

  private String known(String store) {
    stores.engine(store);
    return store;
  }

  private Bytes step(String store, String what, Decoder from, long ring) throws IOException {
    Encoder to = new Encoder();
    switch (what) {
      case "get" ->
          VersionedValue.encode(stores.endpoint().get(known(store), from.bytes(), ring), to);
      case "put" ->
          to.bool(
              stores.endpoint().put(known(store), from.bytes(), VersionedValue.decode(from), ring));
      case "first" ->
          to.bool(
              stores
                  .endpoint()
                  .putFirst(known(store), from.bytes(), VersionedValue.decode(from), ring));
      case "mirror" ->
          to.bool(stores.endpoint().mirrored(store, from.bytes(), VersionedValue.decode(from)));
      case "hint" -> {
        int node = from.count(Integer.MAX_VALUE);
        Hint hint = new Hint(node, store, from.bytes());
        stores.keep(hint, VersionedValue.decode(from));
        to.bool(true);
      }
      case "hinted" -> to.bool(stores.keepsHints(store));
      case "digest" -> {
        int asker = from.count(Integer.MAX_VALUE);
        Bytes after = from.bool() ? from.bytes() : null;
        Span span = new Span(asker, after, from.bytes());
        to.bytes(stores.agreement(store).digest(span));
      }
      case "rest" -> {
        Bytes after = from.bool() ? from.bytes() : null;
        to.bool(stores.isWhole(known(store)));
        encode(stores.engine(store).entries(after, MOST_ENTRIES), to);
      }
      default -> {
        Bytes after = from.bool() ? from.bytes() : null;
        Integer master = from.remaining() == 0 ? null : from.count(Integer.MAX_VALUE);
        stores.endpoint().requireWhole(known(store));
        encode(stores.engine(store).counted(after, MOST_ENTRIES, master), to);
      }
    }
    return to.finish();
  }

  private static void encode(List<Engine.Entry> entries, Encoder to) {
    to.varint(entries.size());
    for (Engine.Entry entry : entries) {
      to.bytes(entry.key());
      VersionedValue.encodePlain(entry.siblings(), to);
    }
    entries.forEach(entry -> VersionedValue.encodeTries(entry.siblings(), to));
  }

  private void one(HttpCall call, String store, Bytes key) throws IOException {
    switch (call.method()) {
      case "GET" -> {
        List<VersionedValue> siblings =
            RemoteCallKind.NODES.during(() -> stores.routed(store).siblings(key));
        call.set(CLOCK, Siblings.basis(siblings).toString());
        Optional<Bytes> value =
            siblings.isEmpty() ? Optional.empty() : Resolver.NEWEST.resolve(siblings).value();
        Bytes there = value.orElseThrow(() -> HttpKeys.noSuchKey(store));
        HttpKeys.send(call, HttpKeys.part(call, there.toBuffer()));
      }
      case "PUT" -> {
        Bytes body = Bytes.wrap(Wire.body(call.body(), Json.LIMIT));
        Optional<Transform> transform = HttpTransform.of(call);
        if (transform.isPresent()) {
          append(call, store, key, transform.get(), body);
        } else {
          write(call, store, key, Optional.of(body));
        }
      }
      case "DELETE" -> write(call, store, key, Optional.empty());
      default -> throw new HttpRefusal(405, "method", "A key has GET, PUT and DELETE.");
    }
  }

  /** Adds to the current value, and never overwrites a concurrent change. */
  private void append(HttpCall call, String store, Bytes key, Transform transform, Bytes more)
      throws IOException {
    if (call.header(CLOCK) != null) {
      throw new HttpRefusal(400, "clock", "What is added needs no clock: leave " + CLOCK + " out.");
    }
    VersionedValue written =
        RemoteCallKind.NODES.during(
            () -> stores.routed(store).append(key, before -> transform.append(before, more)));
    answer(call, written);
  }

  private void write(HttpCall call, String store, Bytes key, Optional<Bytes> value)
      throws IOException {
    String clock = call.header(CLOCK);
    Optional<VectorClock> basis = Optional.ofNullable(clock).map(VectorClock::parse);
    VersionedValue written =
        RemoteCallKind.NODES.during(
            () ->
                basis.isPresent()
                    ? stores.routed(store).put(key, basis.get(), value)
                    : stores.routed(store).write(key, value));
    answer(call, written);
  }

  private static void answer(HttpCall call, VersionedValue written) throws IOException {
    call.set(CLOCK, written.clock().toString());
    ObjectNode answer = Json.object().put("clock", written.clock().toString());
    call.send(200, answer);
  }
}
