package io.braid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.gateway.node.NodeConfig;
import io.braid.gateway.node.ServerNode;
import io.braid.rpc.v1.FetchVersionRequest;
import io.braid.rpc.v1.StoreName;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The client, against a real server over loopback. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BraidClientTest {
  private static final Column<Long> USD = Column.of("balance", "usd", Codecs.int64());
  private static final Row BOB = Row.of("accounts", "bob");
  private static final Row JOE = Row.of("accounts", Bytes.ofInts('j', 0, 0xFF));

  @TempDir static Path dir;
  private ServerNode node;
  private BraidClient db;

  @BeforeAll
  void start() throws Exception {
    Map<String, String> set =
        Map.of(
            "server.listen", "127.0.0.1:0",
            "server.data", dir.resolve("data").toString(),
            "server.stores", dir.resolve("stores").toString(),
            "server.page", "50",
            "store.memory", "16 MiB");
    node = new ServerNode(NodeConfig.load(Optional.empty(), set));
    db = BraidClient.connect("127.0.0.1:" + node.grpc().orElseThrow().getPort());
    db.ensureTable("accounts", "balance");
  }

  @BeforeEach
  void clear() {
    db.dropTable("accounts");
    db.ensureTable("accounts", "balance");
  }

  @AfterAll
  void end() {
    db.close();
    node.close();
  }

  @Test
  void transactionsReadTheirSnapshotAndTheirOwnWrites() {
    long left =
        db.run(
            tx -> {
              tx.set(BOB, USD, 10L);
              tx.set(JOE, USD, 1L);
              tx.delete(JOE, USD);
              assertThat(tx.get(JOE, USD)).isEmpty();
              return tx.get(BOB, USD).orElse(0L);
            });
    assertThat(left).isEqualTo(10);
    try (Snapshot before = db.snapshot();
        Transaction tx = db.begin(Duration.ofSeconds(20))) {
      tx.set(BOB, USD, 7L);
      tx.set(JOE, USD, 3L);
      assertThat(before.get(BOB, USD)).contains(10L);
      long commit = tx.commit();
      assertThat(before.get(BOB, USD)).contains(10L);
      try (Snapshot after = db.snapshotAt(commit)) {
        Map<Row, RowValues> both = after.getAll(List.of(BOB, JOE), List.of(USD));
        assertThat(both).hasSize(2);
        assertThat(both.getOrDefault(JOE, after.getRow(BOB, "balance")).get(USD)).contains(3L);
        assertThat(after.lastChanged(BOB, USD)).hasValue(commit);
        assertThat(after.getRow(BOB, "balance").get(USD)).contains(7L);
        assertThat(after.getRow(BOB, "other").isEmpty()).isTrue();
      }
    }
    assertThatThrownBy(() -> db.snapshotOf("no-such-pin"))
        .isInstanceOf(RefusedException.class)
        .extracting(e -> ((RefusedException) e).reason())
        .isEqualTo("BAD_REQUEST");
  }

  @Test
  void aClosedClientSaysSoAtOnce() {
    BraidClient closed = BraidClient.connect("127.0.0.1:" + node.grpc().orElseThrow().getPort());
    closed.dropTable("never-made"); // nothing to do
    closed.close();
    long begin = System.nanoTime();
    assertThatThrownBy(closed::snapshot)
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("closed");
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void whoWasSecondIsToldTheCellAndMayRunAgain() {
    Transaction first = db.begin();
    Transaction second = db.begin();
    assertThat(first.get(JOE, USD)).isEmpty();
    assertThat(second.get(JOE, USD)).isEmpty();
    first.set(JOE, USD, 1L);
    second.set(JOE, USD, 2L);
    first.commit();
    ConflictException conflict = catchThrowableOfType(ConflictException.class, second::commit);
    assertThat(conflict.conflicts().get(0).row()).isEqualTo(JOE);
    assertThat(conflict.conflicts().get(0).column()).isEqualTo(USD.name());
    second.close();
  }

  private long increments(BraidClient client, int threads, int each) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      Callable<Long> work =
          () -> {
            long unknown = 0;
            for (int i = 0; i < each; i++) {
              try {
                client.run(
                    tx -> {
                      tx.set(BOB, USD, tx.get(BOB, USD).orElse(0L) + 1);
                      return true;
                    });
              } catch (OutcomeUnknownException e) {
                unknown++;
              }
            }
            return unknown;
          };
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(pool.submit(work));
      }
      long unknown = 0;
      for (Future<Long> one : all) {
        unknown += one.get();
      }
      return unknown;
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void concurrentIncrementsAreAllThere() throws Exception {
    assertThat(increments(db, 3, 15)).isZero();
    assertThat(db.snapshot().get(BOB, USD)).contains(45L);
  }

  /** Fault 14: a commit whose answer is lost is asked for by its name, and done once. */
  @Test
  void lostAnswersAreSettled() throws Exception {
    try (BreakingProxy proxy = new BreakingProxy(node.grpc().orElseThrow(), 7, 3000);
        BraidClient client = BraidClient.connect(proxy.address())) {
      assertThat(increments(client, 2, 25)).as("of unknown outcome").isZero();
      for (int i = 0; i < 25; i++) {
        Row row = Row.of("accounts", "script-" + i);
        assertThat(client.script().expectNone(row, USD).set(row, USD, 1L).run().commit())
            .isPositive();
      }
      assertThat(proxy.broken()).isGreaterThan(2);
    }
    assertThat(db.snapshot().get(BOB, USD)).contains(50L);
  }

  @Test
  void scansGoOnWhereTheyBroke() throws Exception {
    for (int i = 0; i < 4; i++) {
      ClientScript script = db.script();
      for (int n = 0; n < 100; n++) {
        script.set(Row.of("accounts", String.format("r%03d", i * 100 + n)), USD, (long) n);
      }
      script.run();
    }
    try (BreakingProxy proxy = new BreakingProxy(node.grpc().orElseThrow(), 3, 20_000);
        BraidClient client = BraidClient.connect(proxy.address())) {
      for (int limit : new int[] {Integer.MAX_VALUE, 123}) {
        List<String> keys = new ArrayList<>();
        try (Snapshot snapshot = client.snapshot();
            RowCursor rows = snapshot.scan(Scan.of("accounts").prefix("r").limit(limit))) {
          while (rows.hasNext()) {
            keys.add(rows.next().row().key().toUtf8());
          }
        }
        assertThat(keys).hasSize(Math.min(limit, 400)).isSorted().doesNotHaveDuplicates();
      }
    }
    try (Transaction tx = db.begin();
        RowCursor rows = tx.scan(Scan.of("accounts").column(USD).limit(120))) {
      assertThat(rows.stream().map(RowValues::row)).hasSize(120).doesNotHaveDuplicates();
    }
    assertThatThrownBy(() -> db.snapshot().scan(Scan.of("none")))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("There is no table none");
  }

  @Test
  void scriptsAreConditional() {
    db.script().set(BOB, USD, 1L).run();
    assertThat(db.script().get(BOB, USD).get(JOE, USD).run().rows())
        .extracting(row -> row.get(USD))
        .containsExactly(Optional.of(1L), Optional.empty());
    assertThatThrownBy(() -> db.script().expect(BOB, USD, 2L).set(BOB, USD, 3L).run())
        .isInstanceOf(RefusedException.class)
        .extracting(e -> ((RefusedException) e).reason())
        .isEqualTo("CONDITION_FAILED");
    assertThat(db.settle("never-was-such-a-one")).isEmpty();
  }

  @Test
  void theFastPathIsThatOfTheDatabase() {
    FastSession fast = db.fast();
    long version = fast.write(BOB, USD, 1L);
    assertThat(fast.readVersion(BOB, USD))
        .isEqualTo(new FastSession.Versioned<>(version, Optional.of(1L)));
    long newer = fast.writeIf(version, BOB, USD, 2L);
    assertThat(newer).isGreaterThan(version);
    assertThatThrownBy(() -> fast.writeIf(version, BOB, USD, 3L))
        .isInstanceOf(ConflictException.class);
    FastSession.Request name = fast.request();
    long once = fast.write(name, RowChange.of(JOE).set(USD, 5L));
    assertThat(db.fast(FastOptions.DEFAULT.after(once)).write(name, RowChange.of(JOE).set(USD, 5L)))
        .isEqualTo(once);
    assertThat(fast.last()).isEqualTo(once);
  }

  @Test
  void groupsOwnTheirRowsUntilTheyAreClosed() {
    try (ClientGroup group = db.group("table-7", List.of(BOB, JOE))) {
      group.script().set(BOB, USD, 4L).set(JOE, USD, 6L).run();
      assertThat(group.read(JOE, USD)).contains(6L);
      assertThatThrownBy(() -> db.script().set(JOE, USD, 0L).run())
          .isInstanceOf(RefusedException.class)
          .extracting(e -> ((RefusedException) e).reason())
          .isEqualTo("HELD_BY_GROUP");
      group.ship();
      assertThat(db.snapshot().get(BOB, USD)).contains(4L);
      ClientGroup same = db.openGroup("table-7");
      assertThat(same.script().expect(BOB, USD, 4L).get(BOB, USD).run().rows()).hasSize(1);
      same.detach();
    }
    db.script().set(JOE, USD, 0L).run();
  }

  @Test
  void storesAreReadInOneVersion() throws Exception {
    Path out = dir.resolve("built");
    try (StoreBuilder builder = new StoreBuilder(BuildPlan.of("people"), out)) {
      builder.add(Bytes.of("bob"), Bytes.of("builder"));
      builder.finish();
    }
    io.braid.rpc.v1.StoresGrpc.StoresBlockingStub stores = db.stores();
    stores.fetchVersion(
        FetchVersionRequest.newBuilder()
            .setStore("people")
            .setFrom(StoreBuilder.folder(out, 0).toString())
            .setVersion(1)
            .build());
    StoreName name = StoreName.newBuilder().setStore("people").build();
    while (stores.getFetch(name).getState().equals("running")) {
      Thread.sleep(5);
    }
    ClientStore people = db.store("people");
    people.swap(1);
    assertThat(people.get("bob")).contains(Bytes.of("builder"));
    ClientStore.Values both = people.getAll(List.of(Bytes.of("joe"), Bytes.of("bob")));
    assertThat(both.version()).isEqualTo(1);
    assertThat(both.values()).containsExactly(Optional.empty(), Optional.of(Bytes.of("builder")));
    assertThat(people.versions().getLive()).isEqualTo(1);
    assertThatThrownBy(people::rollBackVersion).isInstanceOf(RefusedException.class);
  }

  /** As it stands in the client's README. */
  @Test
  void theReadmeIsRight() {
    Column<Long> usd = Column.of("balance", "usd", Codecs.int64());
    Row bob = Row.of("accounts", "bob");
    Row joe = Row.of("accounts", "joe");

    db.script().set(bob, usd, 10L).run();

    db.run(
        tx -> {
          long has = tx.get(bob, usd).orElse(0L);
          tx.set(bob, usd, has - 3);
          tx.set(joe, usd, 3L);
          return has;
        });

    List<String> seen = new ArrayList<>();
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of("accounts").prefix("b"))) {
      rows.forEachRemaining(row -> seen.add(row.row() + " " + row.get(usd)));
    }
    assertThat(seen).containsExactly("accounts/bob Optional[7]");

    db.fast().write(joe, usd, 4L);

    try (ClientGroup table = db.group("table-8", List.of(bob, joe))) {
      table.script().expect(bob, usd, 7L).set(bob, usd, 6L).run();
    }
    assertThat(db.snapshot().get(bob, usd)).contains(6L);
    assertThat(db.snapshot().get(joe, usd)).contains(4L);
  }

  @Test
  void aServerThatIsNotThereIsSaidToBeUnavailable() {
    try (BraidClient nobody = BraidClient.connect(ClientOptions.of("127.0.0.1:1").attempts(2))) {
      assertThatThrownBy(nobody::snapshot).isInstanceOf(UnavailableException.class);
      assertThatThrownBy(() -> nobody.fast().write(BOB, USD, 1L))
          .isInstanceOf(OutcomeUnknownException.class);
    }
  }
}
