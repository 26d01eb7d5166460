package io.braid.changes.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where feeds go. Fault 88. */
class FeedSinkTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path directory;

  private static List<Change> changes(List<String> lines) {
    List<Change> changes = new ArrayList<>();
    for (String line : lines) {
      Change change = ChangeLine.parse(line).change();
      if (change != null) {
        changes.add(change);
      }
    }
    return changes;
  }

  @Test
  void aFileHasEachChangeOnceWhereverItsWriterDied() throws Exception {
    try (FeedBench bench = new FeedBench(false)) {
      Path file = directory.resolve("feed.jsonl");
      for (int run = 0; run < 3; run++) {
        bench.write("v" + run, "k1", "k5", "k8");
        try (FileSink sink = new FileSink(file)) {
          ChangeFeed feed =
              bench.logs.feed(FeedBench.TABLE, sink.position(FeedBench.TABLE).orElse(null));
          new FeedPump(feed, sink, bench.seams).run(false, () -> false);
        }
        // What the next writer finds: the half of a line.
        Files.writeString(file, "{\"table\":\"t\",\"row\":\"k", StandardOpenOption.APPEND);
      }
      try (FileSink sink = new FileSink(file)) {
        assertThat(sink.position(FeedBench.TABLE)).isPresent();
      }
      List<Change> all = changes(Files.readAllLines(file));
      assertThat(all).hasSize(9);
      assertThat(FeedBench.texts(all)).isEqualTo(bench.commits());
    }
  }

  @Test
  void aSinkThatHasThePlaceOfAFeedTakesItFromNoOther() throws Exception {
    try (FeedBench bench = new FeedBench(false)) {
      Path file = directory.resolve("feed.jsonl");
      long first = bench.write("one", "k1");
      bench.write("two", "k1");
      try (FileSink sink = new FileSink(file)) {
        new FeedPump(bench.logs.feed(FeedBench.TABLE, null), sink, bench.seams)
            .run(false, () -> false);
      }
      byte[] before = Files.readAllBytes(file);
      long last = bench.write("three", "k1");
      for (long since : new long[] {first, last}) {
        try (FileSink sink = new FileSink(file)) {
          ChangeFeed feed = bench.logs.feed(FeedBench.TABLE, Position.after(since));
          assertThatThrownBy(() -> new FeedPump(feed, sink, bench.seams).run(false, () -> false))
              .isInstanceOf(ChangesException.class)
              .hasMessageContaining("come twice or be missing");
        }
        assertThat(file).hasBinaryContent(before);
      }
    }
  }

  @Test
  void aFileThatIsNoFeedIsLeftAlone() throws Exception {
    Path file = directory.resolve("notes.txt");
    Files.writeString(file, "milk\neggs\n");
    assertThatThrownBy(() -> new FileSink(file))
        .isInstanceOf(ChangesException.class)
        .hasMessageContaining("is no file of a feed");
    assertThat(file).hasContent("milk\neggs\n");
    Files.writeString(file, "milk");
    assertThatThrownBy(() -> new FileSink(file)).isInstanceOf(ChangesException.class);
    assertThat(file).hasContent("milk");
  }

  /** Each would otherwise miss the changes that the other had brought before. */
  @Test
  void aFileAndAPositionAreOfOneTable() throws Exception {
    try (FeedBench bench = new FeedBench(false)) {
      bench.write("v", "k1");
      Path file = directory.resolve("t.jsonl");
      try (FileSink sink = new FileSink(file)) {
        new FeedPump(bench.logs.feed(FeedBench.TABLE, null), sink, bench.seams)
            .run(false, () -> false);
      }
      String before = Files.readString(file);
      try (FileSink sink = new FileSink(file)) {
        assertThatThrownBy(() -> sink.position("other"))
            .isInstanceOf(ChangesException.class)
            .hasMessageContaining("belongs to the feed of table " + FeedBench.TABLE);
        assertThatThrownBy(() -> sink.begin("other", Position.after(1)))
            .isInstanceOf(ChangesException.class);
      }
      assertThat(Files.readString(file)).isEqualTo(before);
    }
    PositionFile position = new PositionFile(directory.resolve("position"), "http://one/");
    position.write("t", Position.after(7));
    assertThat(position.read("t")).contains(Position.after(7));
    assertThatThrownBy(() -> position.read("other"))
        .isInstanceOf(ChangesException.class)
        .hasMessageContaining("name another file for table other");
    assertThatThrownBy(
            () -> new PositionFile(directory.resolve("position"), "http://two/").read("t"))
        .isInstanceOf(ChangesException.class)
        .hasMessageContaining("belongs to the feed to http://one/");
    Files.writeString(directory.resolve("position"), Position.after(7).toString());
    assertThat(position.read("t")).as("of an earlier version").contains(Position.after(7));
  }

  /** Two would overwrite lines of each other, and both report success. */
  @Test
  void oneFeedAtATimeWritesAFileOrKeepsAPosition() throws Exception {
    Path file = directory.resolve("t.jsonl");
    try (FileSink first = new FileSink(file)) {
      assertThatThrownBy(() -> new FileSink(file))
          .isInstanceOf(ChangesException.class)
          .hasMessageContaining("Another feed uses");
    }
    new FileSink(file).close();
    URI target = URI.create("http://localhost:1/in");
    Path positions = directory.resolve("t.position");
    SystemSeams seams = new SystemSeams();
    try (HttpSink first = new HttpSink(target, positions, seams)) {
      assertThatThrownBy(() -> new HttpSink(target, positions, seams))
          .isInstanceOf(ChangesException.class);
    }
    new HttpSink(target, positions, seams).close();
  }

  @Test
  void aServerThatFailsGetsTheBatchAgainUnderTheSamePositions() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    List<String> taken = new ArrayList<>();
    HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    server.createContext(
        "/in",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          // The first answer is lost: what it was for was taken.
          taken.addAll(Arrays.asList(body.split("\n")));
          exchange.sendResponseHeaders(requests.incrementAndGet() == 1 ? 503 : 204, -1);
          exchange.close();
        });
    server.start();
    try (FeedBench bench = new FeedBench(false)) {
      bench.write("v", "k1", "k5", "k8");
      URI target = URI.create("http://localhost:" + server.getAddress().getPort() + "/in");
      Path positions = directory.resolve("t.position");
      HttpSink sink = new HttpSink(target, positions, bench.seams);
      assertThat(sink.position(FeedBench.TABLE)).isEmpty();
      new FeedPump(bench.logs.feed(FeedBench.TABLE, null), sink, bench.seams)
          .run(false, () -> false);
      assertThat(changes(taken)).hasSize(6);
      Set<Change> once = new LinkedHashSet<>(changes(taken));
      assertThat(FeedBench.texts(new ArrayList<>(once))).isEqualTo(bench.commits()).hasSize(3);
      bench.write("w", "k1");
      ChangeFeed feed =
          bench.logs.feed(FeedBench.TABLE, sink.position(FeedBench.TABLE).orElseThrow());
      assertThat(new FeedPump(feed, sink, bench.seams).run(false, () -> false)).isEqualTo(1);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aServerThatIsAwayIsAskedForAMinute() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Sleeper seams = new Sleeper();
    try (FeedBench bench = new FeedBench(false)) {
      bench.write("v", "k1");
      URI target = URI.create("http://localhost:" + port + "/in");
      HttpSink sink = new HttpSink(target, directory.resolve("t.position"), seams);
      FeedPump pump = new FeedPump(bench.logs.feed(FeedBench.TABLE, null), sink, bench.seams);
      assertThatThrownBy(() -> pump.run(false, () -> false))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no server answers there");
    }
    assertThat(Duration.ofNanos(seams.nanos)).isBetween(MINUTE, MINUTE.plusSeconds(15));
  }

  /** Time that passes by sleeping alone. */
  private static final class Sleeper extends SystemSeams {
    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void sleep(Duration time) {
      nanos += time.toNanos();
    }
  }

  @Test
  void linesKeepBytesThatAreNoText() {
    TreeMap<ColumnName, Bytes> columns = new TreeMap<>();
    columns.put(new ColumnName("f", Bytes.ofInts(0, 255)), Bytes.ofInts(255, 254));
    columns.put(ColumnName.of("f", "base64:x"), Bytes.EMPTY);
    columns.put(ColumnName.of("f", "a:b"), null);
    Change change = new Change(new Row("t", Bytes.ofInts(0, 200)), 17, columns);
    assertThat(ChangeLine.parse(ChangeLine.toText(ChangeLine.of(change, null))).change())
        .isEqualTo(change);
    assertThatThrownBy(() -> ChangeLine.parse("{\"table\":\"t\"}"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
