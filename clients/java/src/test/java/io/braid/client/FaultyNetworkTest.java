package io.braid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.client.FaultyServer.Fault;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.gateway.node.NodeConfig;
import io.braid.gateway.node.ServerNode;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each call of a transaction is refused, broken off, lost, delayed and repeated in turn. The
 * program goes on after a failure, as one that catches too much; what it is told at the end is what
 * is there. Fault 73.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultyNetworkTest {
  private static final Column<Long> A = Column.of("f", "a", Codecs.int64());
  private static final Column<Long> B = Column.of("f", "b", Codecs.int64());
  private static final Row OLD = Row.of("faulty", "old");
  private static final Row NEW = Row.of("faulty", "new");

  @TempDir static Path dir;
  private ServerNode node;
  private BraidClient direct;

  private enum Told {
    COMMITTED,
    REFUSED,
    UNKNOWN
  }

  @BeforeAll
  void start() throws Exception {
    Map<String, String> set =
        Map.of(
            "server.listen",
            "127.0.0.1:0",
            "server.data",
            dir.resolve("data").toString(),
            "server.stores",
            dir.resolve("stores").toString(),
            "store.memory",
            "16 MiB");
    node = new ServerNode(NodeConfig.load(Optional.empty(), set));
    direct = BraidClient.connect("127.0.0.1:" + port().getPort());
    direct.ensureTable("faulty", "f");
  }

  private InetSocketAddress port() {
    return node.grpc().orElseThrow();
  }

  @AfterAll
  void end() {
    direct.close();
    node.close();
  }

  /** All values, as lines. */
  private Map<String, Long> values() {
    Map<String, Long> values = new TreeMap<>();
    try (Snapshot now = direct.snapshot()) {
      for (Row row : List.of(OLD, NEW)) {
        for (Column<Long> column : List.of(A, B)) {
          now.get(row, column).ifPresent(value -> values.put(row.key() + " " + column, value));
        }
      }
    }
    return values;
  }

  private Map<String, Long> before() {
    direct.run(
        tx -> {
          tx.set(OLD, A, 0L);
          tx.set(OLD, B, 0L);
          tx.delete(NEW, A);
          tx.delete(NEW, B);
          return true;
        });
    return values();
  }

  private void eachFault(
      String counted, int calls, Consumer<BraidClient> program, Map<String, Long> after)
      throws Exception {
    Set<Told> seen = EnumSet.noneOf(Told.class);
    for (int call = 1; call <= calls; call++) {
      for (Fault fault : Fault.values()) {
        seen.add(one(counted, call, fault, program, after));
      }
    }
    assertThat(seen).containsExactlyInAnyOrder(Told.values());
  }

  private Told one(
      String counted, int call, Fault fault, Consumer<BraidClient> program, Map<String, Long> after)
      throws Exception {
    Map<String, Long> before = before();
    String at = fault + " at call " + call;
    Told told = Told.REFUSED;
    String request = "";
    try (FaultyServer faulty = new FaultyServer(port(), counted, call, fault);
        BraidClient db =
            BraidClient.connect(
                ClientOptions.of(faulty.address()).attempts(4).timeout(Duration.ofSeconds(30)))) {
      program.accept(db);
      told = Told.COMMITTED;
    } catch (OutcomeUnknownException e) {
      told = Told.UNKNOWN;
      request = e.request();
    } catch (RefusedException | ConflictException e) {
      assertThat(fault).as(at + ": " + e).isNotEqualTo(Fault.REFUSE_FOR_NOW_ONCE);
    }
    switch (told) {
      case COMMITTED -> assertThat(values()).as(at).isEqualTo(after);
      case REFUSED -> assertThat(values()).as(at).isEqualTo(before);
      case UNKNOWN ->
          assertThat(direct.settle(request).isPresent() ? after : before)
              .as(at)
              .isEqualTo(values());
    }
    return told;
  }

  private static void carelessly(Runnable read) {
    try {
      read.run();
    } catch (RefusedException e) {
      // A program that goes on.
    }
  }

  @Test
  void anOpenTransactionIsWholeOrNotThere() throws Exception {
    eachFault(
        "Transactions/",
        4,
        db -> {
          Transaction tx = db.begin();
          tx.set(NEW, A, 1L);
          tx.set(NEW, B, 1L);
          carelessly(() -> tx.get(NEW, A));
          tx.set(NEW, A, 2L);
          tx.delete(OLD, A);
          carelessly(
              () -> {
                try (RowCursor rows = tx.scan(Scan.of("faulty").family("f"))) {
                  rows.forEachRemaining(row -> {});
                }
              });
          tx.set(NEW, B, 3L);
          tx.commit();
        },
        Map.of("old f:b", 0L, "new f:a", 2L, "new f:b", 3L));
  }

  @Test
  void aWholeTransactionInOneCallIsDoneOnce() throws Exception {
    eachFault(
        "Transactions/Run",
        1,
        db -> db.script().expect(OLD, A, 0L).set(OLD, A, 1L).run(),
        Map.of("old f:a", 1L, "old f:b", 0L));
  }

  @Test
  void aBodyThatRunsAgainOnConflictsIsDoneOnce() throws Exception {
    eachFault(
        "Transactions/",
        3,
        db ->
            db.run(
                tx -> {
                  tx.set(OLD, A, tx.get(OLD, A).orElse(0L) + 1);
                  return true;
                }),
        Map.of("old f:a", 1L, "old f:b", 0L));
  }
}
