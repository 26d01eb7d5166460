package io.braid.serving.net;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.http.HttpCall;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.serving.StoreNames;
import io.braid.serving.build.Manifest;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.Limits;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.Membership;
import io.braid.serving.node.StoreVersions;
import io.braid.serving.node.VersionInfo;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The reading half of the HTTP interface:
 *
 * <pre>
 * GET  /stores                                    the stores and their live versions
 * GET  /stores/S/keys/KEY                         a value, as it is; 404 when there is no such key
 * POST /stores/S/get {"keys":["a","b"]}           several, all of one version
 * POST /stores/S/read                             the same for programs, see Wire
 * GET  /cluster                                   the topology, with the stores that are served
 * GET  /stores/S/versions
 * GET  /stores/S/versions/N/files/NAME            a file of a version, also from a place on, and one that
 *                                                 has come in while the version is fetched
 * GET  /stores/S/pushes/ID                        what a push did here
 * GET  /rebalance                                 what this node has, and the move it takes part in
 * GET  /missed                                    who missed the last pushes
 * GET  /stores/S/fetch                            how far the last fetch is
 * </pre>
 */
public final class HttpReads {
  private static final Pattern STORES = Pattern.compile("/stores");
  private static final Pattern GET = Pattern.compile("/stores/([^/]+)/get");
  private static final Pattern READ = Pattern.compile("/stores/([^/]+)/read");
  private static final Pattern CLUSTER = Pattern.compile("/cluster");
  private static final Pattern REBALANCE = Pattern.compile("/rebalance");
  private static final Pattern MISSED = Pattern.compile("/missed");
  private static final Pattern PUSHED = Pattern.compile("/stores/([^/]+)/pushes/([^/]+)");
  private static final Pattern KEY = Pattern.compile("/stores/([^/]+)/keys/(.+)");
  private static final Pattern VERSIONS = Pattern.compile("/stores/([^/]+)/versions");
  private static final Pattern FETCH = Pattern.compile("/stores/([^/]+)/fetch");
  private static final Pattern FILE =
      Pattern.compile("/stores/([^/]+)/versions/(\\d+)/files/([^/]+)");
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-");

  /** Values of one answer, unpacked: three of the longest. Clients take answers of 64 MiB. */
  public static final long MOST_BYTES = 3L * Limits.VALUE;

  private final NodeService service;
  private final List<Route> routes;

  /** A pattern of addresses, and the answer to them. */
  private record Route(Pattern pattern, Answer answer) {}

  private interface Answer {
    void to(HttpCall call, Matcher path) throws IOException;
  }

  HttpReads(NodeService service, HttpKeys keys) {
    this.service = service;
    this.routes =
        List.of(
            new Route(KEY, (call, m) -> keys.one(call, m.group(1), m.group(2))),
            new Route(GET, (call, m) -> keys.some(call, m.group(1))),
            new Route(READ, (call, m) -> keys.read(call, m.group(1))),
            new Route(CLUSTER, (call, m) -> cluster(call)),
            new Route(
                REBALANCE,
                (call, m) -> call.send(200, service.moves().inventory().encode(Json.object()))),
            new Route(MISSED, (call, m) -> missed(call)),
            new Route(PUSHED, (call, m) -> pushed(call, m.group(1), m.group(2))),
            new Route(STORES, (call, m) -> stores(call)),
            new Route(VERSIONS, (call, m) -> versions(call, m.group(1))),
            new Route(
                FILE,
                (call, m) -> file(call, m.group(1), StoreNames.version(m.group(2)), m.group(3))),
            new Route(FETCH, (call, m) -> fetch(call, m.group(1))));
  }

  /** Whether a POST changes nothing. */
  static boolean isRead(HttpCall call) {
    String path = call.path();
    return GET.matcher(path).matches() || READ.matcher(path).matches();
  }

  void handle(HttpCall call) throws IOException {
    String path = call.path();
    for (Route route : routes) {
      Matcher matcher = route.pattern.matcher(path);
      if (matcher.matches()) {
        route.answer.to(call, matcher);
        return;
      }
    }
    throw new HttpRefusal(404, "no such address", "Nothing is at " + path + ".");
  }

  private void cluster(HttpCall call) throws IOException {
    Topology topology =
        service
            .topology()
            .orElseThrow(
                () ->
                    new HttpRefusal(
                        404,
                        "no cluster",
                        "This node is in no cluster: braid cluster init; or, if it was in one, braid cluster tell with another of its nodes."));
    call.send(200, TopologyText.encode(topology));
  }

  private void missed(HttpCall call) throws IOException {
    ObjectNode answer = Json.object();
    service.missed().forEach((store, missed) -> missed.encode(answer.putObject(store)));
    call.send(200, answer);
  }

  private void pushed(HttpCall call, String store, String push) throws IOException {
    StoreVersions versions = service.versions(store);
    LiveVersion seen = versions.seen();
    call.send(
        200,
        Json.object()
            .put("next", versions.next())
            .put("live", seen.live())
            .put("flips", seen.flips())
            .put("pushed", versions.pushed(push))
            .put("self", service.cluster().membership().map(Membership::self).orElse(-1)));
  }

  private void stores(HttpCall call) throws IOException {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("stores");
    for (String store : service.stores()) {
      list.addObject().put("store", store).put("live", service.store(store).version());
    }
    call.send(200, answer);
  }

  private void versions(HttpCall call, String store) throws IOException {
    ObjectNode answer = Json.object();
    answer.put("live", service.store(store).version());
    answer.put("flips", service.store(store).versions().seen().flips());
    answer.put("quota", service.store(store).versions().quota());
    answer.put("next", service.store(store).versions().next());
    ArrayNode list = answer.putArray("versions");
    for (VersionInfo info : service.store(store).versions().versions()) {
      ObjectNode version = list.addObject().put("version", info.version());
      version.put("state", info.state().text());
      version.put("pinned", info.pinned());
      Manifest manifest = info.manifest();
      if (manifest != null) {
        version.put("keys", manifest.keys()).put("checksum", manifest.checksum());
      }
      if (!info.problem().isEmpty()) {
        version.put("problem", info.problem());
      }
    }
    call.send(200, answer);
  }

  private void file(HttpCall call, String store, long version, String name) throws IOException {
    if (!name.equals(ManifestFile.NAME) && ChunkName.ofFile(name).isEmpty()) {
      throw new HttpRefusal(404, "no such file", "'" + name + "' is no file of a version.");
    }
    Path file = service.file(store, version, name);
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
      try {
        long from = from(call);
        long length = channel.size() - from;
        if (length < 0 || (length == 0 && from > 0)) {
          throw new HttpRefusal(416, "range", "The file has " + channel.size() + " bytes.");
        }
        call.send(from == 0 ? 200 : 206, channel.position(from), length);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (NoSuchFileException e) {
      throw new HttpRefusal(404, "no such file", "There is no such version or file.");
    }
  }

  private static long from(HttpCall call) {
    String range = call.header("Range");
    if (range == null) {
      return 0;
    }
    Matcher matcher = RANGE.matcher(range);
    if (!matcher.matches()) {
      throw new HttpRefusal(400, "range", "A range is written as bytes=FROM-.");
    }
    return Long.parseLong(matcher.group(1));
  }

  private void fetch(HttpCall call, String store) throws IOException {
    FetchJob job = service.fetch(store);
    call.send(
        200,
        Json.object()
            .put("version", job.version())
            .put("from", job.from())
            .put("state", job.state().name().toLowerCase(Locale.ROOT))
            .put("fetched", job.fetched())
            .put("total", job.total())
            .put("base", job.base())
            .put("spared", job.spared())
            .put("copied", job.copied())
            .put("problem", job.problem()));
  }
}
