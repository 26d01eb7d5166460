package io.braid.cli.demo;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.tables.Links;
import io.braid.examples.webindex.tables.PageId;
import io.braid.examples.webindex.tables.Pages;
import io.braid.examples.webindex.tables.Posting;
import io.braid.examples.webindex.tables.Postings;
import io.braid.serving.NotFinishedException;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.client.StoreClient;
import io.braid.serving.client.Values;
import io.braid.serving.net.HttpNode;
import io.braid.serving.net.HttpNodes;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import io.braid.serving.push.PushResult;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The last part of the demonstration: the index publishes itself. Its postings and its table of
 * in-links become a store that two nodes serve; a version that is deliberately far too small is
 * refused, one that is wrong is rolled back.
 */
final class DemoServing {
  private static final String STORE = "webindex";
  private static final int NODES = 2;
  private static final int PARTITIONS = 8;
  private static final SystemSeams SEAMS = new SystemSeams();

  private final DemoScreen screen;
  private final Map<String, Object> numbers = new LinkedHashMap<>();

  DemoServing(DemoScreen screen) {
    this.screen = screen;
  }

  /** Returns the measurements, for {@code --json}. */
  Map<String, Object> numbers() {
    return numbers;
  }

  /** Publishes the index of a database, and reads a word of a query back. */
  void run(Braid db, String word) throws IOException {
    Path work = Files.createTempDirectory("braid-demo-serving");
    List<DemoNode> nodes = new ArrayList<>();
    try {
      for (int id = 0; id < NODES; id++) {
        nodes.add(DemoNode.start(SEAMS, work.resolve("node-" + id)));
      }
      publish(db, word, work, nodes);
    } finally {
      for (DemoNode node : nodes) {
        node.close();
      }
      DurableFiles.deleteTree(work);
    }
  }

  private void publish(Braid db, String word, Path work, List<DemoNode> nodes) throws IOException {
    List<Node> members = new ArrayList<>();
    List<HttpNode> asked = new ArrayList<>();
    for (DemoNode node : nodes) {
      members.add(new Node(members.size(), 0, node.url()));
      asked.add(new HttpNode(asked.size(), node.url(), ""));
    }
    List<Integer> owners = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      owners.add(partition % NODES);
    }
    Ring ring = Ring.of(members, owners);
    for (int id = 0; id < NODES; id++) {
      asked.get(id).join(id, Topology.of(ring, Map.of()));
    }
    BuildPlan plan = BuildPlan.of(STORE).routing(Routing.consistent(ring, 2)).minimumKeys(1);

    long begun = System.nanoTime();
    StoreBuilder.BuildResult built = build(db, plan, work.resolve("good"));
    double buildSeconds = millisSince(begun) / 1000;
    begun = System.nanoTime();
    PushResult first = push(asked, work.resolve("good"));
    screen.say(
        "   %,d keys, words and addresses, built in %.1f s; pushed to 2 nodes in %.0f ms, live in"
            + " %.1f ms.",
        built.keys(), buildSeconds, millisSince(begun), first.swapMillis());
    StoreClient client =
        new StoreClient(
            SEAMS, new HttpNodes(Duration.ofSeconds(5)), List.of(members.get(0).address()), 0);
    show(client, word);

    build(plan.minimumKeys(0), work.resolve("empty"), Map.of());
    screen.say("   A bad version, empty, is refused: %s", refusal(asked, work.resolve("empty")));

    Map<String, String> wrong = new HashMap<>();
    for (long i = 0; i < built.keys(); i++) {
      wrong.put("word:wrong-" + i, "nothing");
    }
    build(plan, work.resolve("wrong"), wrong);
    push(asked, work.resolve("wrong"));
    screen.say(
        "   A bad version that looks right went live: '%s' is %s.",
        word, found(client, word) ? "there" : "gone");
    begun = System.nanoTime();
    for (HttpNode node : asked) {
      node.rollBack(STORE, first.version(), node.seen(STORE));
    }
    double rollback = millisSince(begun);
    screen.say(
        "   Rolled back on both nodes in %.1f ms: '%s' is %s.",
        rollback, word, found(client, word) ? "there again" : "gone");
    numbers.put("keys", built.keys());
    numbers.put("build_s", buildSeconds);
    numbers.put("swap_ms", first.swapMillis());
    numbers.put("rollback_ms", rollback);
  }

  private void show(StoreClient client, String word) {
    long begun = System.nanoTime();
    Values values = client.read(STORE, List.of(Bytes.of("word:" + word)));
    long pages = values.values().get(0).map(v -> v.toUtf8().lines().count()).orElse(0L);
    screen.say(
        "   Read back, routed by the client: %,d pages have the word '%s' (version %d, %.1f ms).",
        pages, word, values.version(), millisSince(begun));
  }

  private static boolean found(StoreClient client, String word) {
    return client.get(STORE, Bytes.of("word:" + word)).isPresent();
  }

  private static PushResult push(List<HttpNode> nodes, Path built) {
    PushPlan plan = PushPlan.of(STORE, UUID.randomUUID().toString(), built.toString());
    return new Push(SEAMS, nodes, plan, (step, done, total) -> {}).run();
  }

  private static String refusal(List<HttpNode> nodes, Path built) {
    try {
      push(nodes, built);
      return "it went live. This is a defect.";
    } catch (NotFinishedException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static StoreBuilder.BuildResult build(
      BuildPlan plan, Path out, Map<String, ? extends CharSequence> tuples) throws IOException {
    try (StoreBuilder builder = new StoreBuilder(plan, out)) {
      for (Map.Entry<String, ? extends CharSequence> tuple : tuples.entrySet()) {
        builder.add(Bytes.of(tuple.getKey()), Bytes.of(tuple.getValue().toString()));
      }
      return builder.finish();
    }
  }

  /** Every word with the addresses of its pages, and every page with those that link to it. */
  private StoreBuilder.BuildResult build(Braid db, BuildPlan plan, Path out) throws IOException {
    try (Snapshot now = db.snapshot()) {
      Map<PageId, String> urls = urls(now);
      Map<String, StringBuilder> tuples = new HashMap<>();
      try (RowCursor rows = now.scan(Scan.of(Postings.TABLE).column(Postings.WORDS))) {
        while (rows.hasNext()) {
          RowValues row = rows.next();
          String url = urls.get(Postings.page(row.row()));
          Optional<Posting> posting = row.get(Postings.WORDS);
          if (url != null && posting.isPresent()) {
            posting.get().weights().keySet().forEach(w -> add(tuples, "word:" + w, url));
          }
        }
      }
      links(now, urls, tuples);
      return build(plan.snapshot(now.timestamp()), out, tuples);
    }
  }

  private static void add(Map<String, StringBuilder> tuples, String key, String line) {
    tuples.computeIfAbsent(key, k -> new StringBuilder()).append(line).append('\n');
  }

  private static Map<PageId, String> urls(Snapshot now) {
    Map<PageId, String> urls = new HashMap<>();
    try (RowCursor rows = now.scan(Scan.of(Pages.TABLE).column(Pages.URL))) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        row.get(Pages.URL).ifPresent(url -> urls.put(Pages.id(row.row()), url));
      }
    }
    return urls;
  }

  private static void links(
      Snapshot now, Map<PageId, String> urls, Map<String, StringBuilder> tuples) {
    try (RowCursor rows = now.scan(Scan.of(Links.TABLE).family(Links.IN))) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        String target = urls.get(new PageId(row.row().key()));
        for (ColumnName column : row.values().keySet()) {
          String source = urls.get(new PageId(column.qualifier()));
          if (target != null && source != null) {
            add(tuples, "links:" + target, source);
          }
        }
      }
    }
  }

  private static double millisSince(long begun) {
    return (System.nanoTime() - begun) / 1e6;
  }
}
