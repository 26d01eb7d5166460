package io.braid.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.gateway.RawHttp.Reply;
import io.braid.gateway.RpcDoors.Method;
import io.braid.gateway.api.Api;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The addresses of a node over HTTP, each with a request that makes sense. */
final class HttpDoors {
  static final String TABLE = "ledger";
  static final String OBSERVER = "watcher";
  static final String REQUEST = "a-request-of-the-writer";
  static final String FORGED = "895512345600-AQRhY2N0A2JvYgNiYWwDdXNk";

  private static final String SET =
      "{'operations':[{'op':'set','table':'ledger','row':'r','columns':{'f:q':'spoilt'}}]}";

  /** The right that a door needs. */
  enum Need {
    /** Callers without an identity are answered. */
    NOTHING,
    /** Every identity is answered, with what it may see. */
    IDENTITY,
    /** The identity that began the transaction. */
    OWNER,
    /** Read on the table or store. */
    READ,
    /** Write on the table. */
    WRITE,
    /** Admin on the table or store, or a role on everything. */
    ADMIN
  }

  /** All addresses: the need, the method, the path, the body. */
  private static final String ALL =
      """
      NOTHING  GET    /
      NOTHING  GET    /console.css
      NOTHING  GET    /console.js
      NOTHING  GET    /jobs.js
      NOTHING  GET    /overview.js
      NOTHING  GET    /livez
      NOTHING  GET    /readyz
      NOTHING  GET    /openapi.json
      ADMIN    GET    /metrics
      IDENTITY GET    /v1/tables
      READ     GET    /v1/tables/{table}
      ADMIN    PUT    /v1/tables/{table} {'families':['g']}
      ADMIN    DELETE /v1/tables/{table}
      ADMIN    GET    /v1/pins
      ADMIN    PUT    /v1/pins/{pin}
      ADMIN    DELETE /v1/pins/{pin}
      READ     GET    /v1/tables/{table}/rows/{row}
      READ     GET    /v1/tables/{table}/rows
      READ     GET    /v1/tables/{table}/rows/{row}/explanation
      WRITE    POST   /v1/transactions/run SET
      IDENTITY POST   /v1/transactions {}
      WRITE    POST   /v1/transactions/{id}/operations SET
      OWNER    POST   /v1/transactions/{id}/commit {}
      OWNER    DELETE /v1/transactions/{id}
      OWNER    GET    /v1/outcomes/{id}
      IDENTITY GET    /v1/requests/{id}
      WRITE    DELETE /v1/requests/{id}
      READ     GET    /v1/fast/{table}/rows/{row}
      WRITE    POST   /v1/fast/{table}/rows/{row} {'columns':{'f:q':'spoilt'}}
      IDENTITY GET    /v1/fast/name
      IDENTITY GET    /v1/groups
      WRITE    POST   /v1/groups {'rows':[{'table':'ledger','row':'r'}]}
      READ     GET    /v1/groups/{group}
      WRITE    DELETE /v1/groups/{group}
      WRITE    POST   /v1/groups/{group}/run {'operations':[{'op':'set','table':'ledger','row':'m','columns':{'f:q':'spoilt'}}]}
      WRITE    POST   /v1/groups/{group}/ship
      IDENTITY GET    /v1/jobs
      READ     GET    /v1/jobs/{job}
      WRITE    PUT    /v1/jobs/{job} {'table':'ledger','files':['in.csv'],'mapping':{'key':'id','columns':{'n':{'column':'f:n'}}}}
      WRITE    DELETE /v1/jobs/{job}
      WRITE    POST   /v1/jobs/{job}/resume
      WRITE    POST   /v1/jobs/{job}/retry
      WRITE    POST   /v1/jobs/{job}/commit
      READ     GET    /v1/jobs/{job}/attempts
      READ     GET    /v1/jobs/{job}/logs/{log}
      ADMIN    GET    /v1/backups
      ADMIN    PUT    /v1/backups/{backup}
      IDENTITY GET    /v1/status
      IDENTITY GET    /v1/observers
      READ     GET    /v1/observers/{observer}/dead-letters
      ADMIN    POST   /v1/observers/{observer}/replay
      ADMIN    POST   /v1/observers/{observer}/pause
      ADMIN    POST   /v1/observers/{observer}/resume
      IDENTITY GET    /v1/gc
      ADMIN    POST   /v1/gc
      ADMIN    GET    /stores
      READ     GET    /stores/{store}/keys/1
      READ     POST   /stores/{store}/get {'keys':['1']}
      READ     POST   /stores/{store}/read \001\0011
      READ     GET    /stores/{store}/versions
      READ     GET    /stores/{store}/versions/1/files/.metadata
      READ     GET    /stores/{store}/pushes/1
      READ     GET    /stores/{store}/fetch
      ADMIN    POST   /stores/{store}/lease {'push':'p','millis':30000}
      ADMIN    POST   /stores/{store}/release {'push':'p'}
      ADMIN    POST   /stores/{store}/fetch {'from':'/nowhere'}
      ADMIN    POST   /stores/{store}/prepare {'version':1}
      ADMIN    POST   /stores/{store}/canary {'version':1}
      ADMIN    POST   /stores/{store}/swap {'version':1}
      ADMIN    POST   /stores/{store}/confirm {'push':'p'}
      ADMIN    POST   /stores/{store}/rollback {}
      ADMIN    POST   /stores/{store}/takeback {'version':1}
      ADMIN    POST   /stores/{store}/pin {'version':1}
      ADMIN    POST   /stores/{store}/quota {'bytes':1}
      """;

  /**
   * An address.
   *
   * @param route the path with names in braces
   * @param body with single quotes for double ones; empty if the address takes none
   */
  record Door(Need need, String method, String route, String body) {
    String name() {
      return method + " " + route;
    }

    /** Returns the body as it is sent. */
    byte[] bytes() {
      return RawHttp.bytes(body.replace('\'', '"'));
    }

    boolean changes() {
      boolean reads = route.endsWith("/get") || route.endsWith("/read");
      return !method.equals("GET") && !reads;
    }

    private static Door of(String line) {
      String[] parts = line.split(" +", 4);
      return new Door(
          Need.valueOf(parts[0]),
          parts[1],
          parts[2],
          parts.length == 3 ? "" : parts[3].replace("SET", SET));
    }
  }

  private final RawHttp client;
  private final Map<String, String> names;

  /**
   * @param transaction an open one, of the writer
   */
  HttpDoors(URI node, String transaction) {
    this.client = new RawHttp(node);
    this.names =
        Map.ofEntries(
            Map.entry("table", TABLE),
            Map.entry("row", "r"),
            Map.entry("pin", "pinned"),
            Map.entry("id", transaction),
            Map.entry("outcome", FORGED),
            Map.entry("request", REQUEST),
            Map.entry("group", "gang"),
            Map.entry("job", "nightly"),
            Map.entry("log", "detailed"),
            Map.entry("backup", "monday"),
            Map.entry("observer", OBSERVER),
            Map.entry("store", "people"));
  }

  static List<Door> all() {
    return ALL.lines().map(Door::of).toList();
  }

  /** Returns the values of the names in braces. */
  Map<String, String> names() {
    return names;
  }

  /** Returns the path of something that exists, or could. */
  String path(Door door) {
    String path =
        door.route()
            .replace("/outcomes/{id}", "/outcomes/{outcome}")
            .replace("/requests/{id}", "/requests/{request}");
    for (Map.Entry<String, String> each : names.entrySet()) {
      path = path.replace("{" + each.getKey() + "}", each.getValue());
    }
    if (door.route().equals("/v1/fast/{table}/rows/{row}") && door.method().equals("GET")) {
      path += "?column=f:q";
    }
    return path;
  }

  // --- the addresses that there are ------------------------------------------------------------

  /** Returns the methods and paths that a node describes. */
  static Set<String> described(JsonNode description) {
    Set<String> all = new TreeSet<>();
    description
        .path("paths")
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method -> all.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    return all;
  }

  /** Returns the paths of the files of the console. */
  static Set<String> console() throws IOException, URISyntaxException {
    URI folder = Api.class.getResource("/io/braid/gateway/console").toURI();
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      return files
          .map(file -> "/" + file.getFileName().toString().replace("console.html", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Returns methods and patterns of paths below {@code /stores}, from the classes that answer. */
  static Set<String> stores() throws ReflectiveOperationException {
    Set<String> all = new TreeSet<>();
    Class<?> reads = Class.forName("io.braid.serving.net.HttpReads");
    for (var field : reads.getDeclaredFields()) {
      if (field.getType() == Pattern.class) {
        field.setAccessible(true);
        String pattern = field.get(null).toString();
        all.add((pattern.matches(".*/(get|read)") ? "POST " : "GET ") + pattern);
      }
    }
    var steps = Class.forName("io.braid.serving.net.HttpChanges").getDeclaredField("STEPS");
    steps.setAccessible(true);
    ((Map<?, ?>) steps.get(null)).keySet().forEach(step -> all.add("POST /stores/([^/]+)/" + step));
    all.removeIf(pattern -> !pattern.contains(" /stores"));
    return all;
  }

  // --- requests --------------------------------------------------------------------------------

  RawHttp client() {
    return client;
  }

  /** Sends the request of a door. */
  Reply ask(Door door, String... headers) throws IOException {
    return ask(door, path(door), door.bytes(), headers);
  }

  /** Sends a request to a door, with another path and body. */
  Reply ask(Door door, String path, byte[] body, String... headers) throws IOException {
    String length = body.length == 0 ? "" : "Content-Length: " + body.length + "\r\n";
    return client.send(client.head(door.method(), path, length, headers), body);
  }

  /** Calls a method of gRPC over HTTP/1.1. */
  Reply ask(Method method, String... headers) throws IOException {
    byte[] body = method.framed();
    String length = "Content-Length: " + body.length + "\r\n";
    return client.send(client.head("POST", "/" + method.name(), length, headers), body);
  }
}
