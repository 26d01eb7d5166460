package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.ServingException;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.MissedPush;
import io.braid.serving.node.NodeFixture;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fault 48: a node that missed a push refuses reads until it has caught up, or the others went
 * back.
 */
@SuppressWarnings("NullAway.Init")
class CatchUpTest {
  private static final String STORE = NodeFixture.STORE;
  private static final SystemSeams SEAMS = new SystemSeams();

  @TempDir Path root;
  private RunningNode node;
  private String built = "";
  private volatile Answer other = () -> Map.of();

  /** What the other node says. */
  private interface Answer {
    Map<String, MissedPush> give() throws IOException;
  }

  @BeforeEach
  void start() throws Exception {
    Path folder = NodeFixture.build(root, 2, 20);
    built = folder.resolveSibling(".").normalize().toString();
    node = RunningNode.start(root.resolve("n"), "");
    Ring ring =
        Ring.of(
            List.of(new Node(0, 0, node.url()), new Node(1, 0, "http://127.0.0.1:9")), List.of(0));
    new HttpNode(0, node.url(), "").join(0, Topology.of(ring, Map.of()));
    fetchAndSwap(1);
  }

  private void fetchAndSwap(long version) throws IOException {
    fetch(version);
    node.service().swap(STORE, version, false);
  }

  private void fetch(long version) throws IOException {
    String from = NodeFixture.build(root, version, 20).toString();
    node.service().startFetch(STORE, from, version);
    while (!node.service().fetch(STORE).ended()) {
      SEAMS.sleep(Duration.ofMillis(1));
    }
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
  }

  private MissedPush missed(String from) {
    return new MissedPush(2, from, Set.of(0), false, true);
  }

  private CatchUp catchUp(AtomicInteger asked) {
    return new CatchUp(
        SEAMS,
        node.service(),
        address -> {
          asked.incrementAndGet();
          return other.give();
        });
  }

  private static void awaitMore(AtomicInteger asked) {
    int before = asked.get();
    while (asked.get() < before + 2) {
      SEAMS.sleep(Duration.ofMillis(10));
    }
  }

  @Test
  void whoSaidSoAndCannotBeAskedNowHasNotTakenItBack() {
    other = () -> Map.of(STORE, missed("/nowhere"));
    AtomicInteger asked = new AtomicInteger();
    try (CatchUp catchUp = catchUp(asked)) {
      assertThatThrownBy(() -> catchUp.check(STORE))
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.STORE_BEHIND));
      other =
          () -> {
            throw new IOException("not reachable");
          };
      awaitMore(asked);
      assertThatThrownBy(() -> catchUp.check(STORE))
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.STORE_BEHIND));
      other = Map::of;
      awaitMore(asked);
      awaitMore(asked);
      assertThatCode(() -> catchUp.check(STORE)).doesNotThrowAnyException();
    }
    assertThat(node.service().live(STORE)).isEqualTo(1);
  }

  /** Fault 48: a push that may still be taken back is waited for, not caught up with. */
  @Test
  void pushThatHasYetToGoThroughIsNotCaughtUpWith() {
    MissedPush running = new MissedPush(2, built, Set.of(0), false);
    other = () -> Map.of(STORE, running);
    AtomicInteger asked = new AtomicInteger();
    try (CatchUp catchUp = catchUp(asked)) {
      awaitMore(asked);
      assertThat(node.service().live(STORE)).isEqualTo(1);
      assertThatThrownBy(() -> catchUp.check(STORE))
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.STORE_BEHIND));
      other = () -> Map.of(STORE, running.nowConfirmed());
      while (node.service().live(STORE) == 1) {
        SEAMS.sleep(Duration.ofMillis(10));
      }
    }
    assertThat(node.service().live(STORE)).isEqualTo(2);
  }

  /** Fault 48: a push that a rollback ended stays ended when the node starts again. */
  @Test
  void pushThatARollbackEndedGetsNoLeaseAfterARestart() throws Exception {
    new NodeEndpoint(SEAMS, node.service()).lease(STORE, "late", Duration.ofMinutes(5));
    assertThat(node.service().rollBack(STORE, 1, new LiveVersion(2, -1))).isEqualTo(1);
    node.close();
    node = RunningNode.start(root.resolve("n"), "");
    NodeEndpoint endpoint = new NodeEndpoint(SEAMS, node.service());
    assertThatThrownBy(() -> endpoint.lease(STORE, "late", Duration.ofMinutes(5)))
        .hasMessageContaining("ended by a version rollback");
    assertThatThrownBy(() -> endpoint.prepare(STORE, "late", 2, false))
        .hasMessageContaining("lost its lease");
    assertThatThrownBy(() -> node.service().versions(STORE).refuseTakenBack(2))
        .hasMessageContaining("taken back");
    endpoint.lease(STORE, "next", Duration.ofMinutes(5));
  }

  /** Fault 48: the id of a running push is forgotten by a restart, what it saw is not. */
  @Test
  void swapOfAPushThatRanBeforeARestartAndARollbackIsRefused() throws Exception {
    fetchAndSwap(3);
    fetch(4);
    NodeEndpoint before = new NodeEndpoint(SEAMS, node.service());
    before.lease(STORE, "push", Duration.ofMinutes(5));
    before.prepare(STORE, "push", 4, false);
    long flips = before.state(STORE, "push").flips();
    node.close();
    node = RunningNode.start(root.resolve("n"), "");
    NodeEndpoint endpoint = new NodeEndpoint(SEAMS, node.service());
    assertThat(endpoint.rollBack(STORE, 1, endpoint.seen(STORE))).isEqualTo(1);
    endpoint.lease(STORE, "push", Duration.ofMinutes(5));
    assertThatThrownBy(() -> endpoint.swap(STORE, "push", 4, false, flips, Optional.empty()))
        .hasMessageContaining("made live since");
    assertThat(node.service().live(STORE)).isEqualTo(1);
  }

  /** Fault 52: a push that began after a rollback is not ended by that one, sent again. */
  @Test
  void rollbackThatIsSentAgainEndsNoPush() throws Exception {
    fetchAndSwap(3);
    NodeEndpoint endpoint = new NodeEndpoint(SEAMS, node.service());
    LiveVersion seen = endpoint.seen(STORE);
    assertThat(endpoint.rollBack(STORE, 1, seen)).isEqualTo(1);
    endpoint.lease(STORE, "next", Duration.ofMinutes(5));
    assertThat(endpoint.rollBack(STORE, 1, seen)).isEqualTo(1);
    endpoint.prepare(STORE, "next", 3, true);
    endpoint.swap(STORE, "next", 3, true, endpoint.seen(STORE).flips(), Optional.empty());
    assertThatThrownBy(() -> endpoint.rollBack(STORE, 1, seen))
        .hasMessageContaining("made live since");
    endpoint.lease(STORE, "next", Duration.ofMinutes(5));
    assertThat(node.service().live(STORE)).isEqualTo(3);
  }

  @Test
  void whatTheOthersHaveGoneBackFromIsNotSwappedIn() {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger told = new AtomicInteger();
    // The first two looks, as it starts and before it fetches, find it missing; then they went
    // back.
    other = () -> told.incrementAndGet() <= 2 ? Map.of(STORE, missed(built)) : Map.of();
    try (CatchUp catchUp = catchUp(asked)) {
      while (told.get() < 5) {
        SEAMS.sleep(Duration.ofMillis(10));
      }
      assertThat(node.service().fetch(STORE).version()).as("it was fetched").isEqualTo(2);
      assertThat(node.service().live(STORE)).isEqualTo(1);
      assertThatCode(() -> catchUp.check(STORE)).doesNotThrowAnyException();
    }
  }

  @Test
  void whatIsMissedIsFetchedAndSwappedIn() {
    AtomicInteger asked = new AtomicInteger();
    other = () -> Map.of(STORE, missed(built));
    try (CatchUp catchUp = catchUp(asked)) {
      while (node.service().live(STORE) < 2) {
        SEAMS.sleep(Duration.ofMillis(10));
      }
      awaitMore(asked);
      assertThatCode(() -> catchUp.check(STORE)).doesNotThrowAnyException();
    }
  }

  /** Such as that of a node of another release. */
  @Test
  void anAnswerThatNobodyUnderstandsEndsNoDuty() {
    AtomicInteger asked = new AtomicInteger();
    other =
        () -> {
          if (asked.get() % 2 == 0) {
            throw new OutOfMemoryError("on purpose");
          }
          throw new IllegalArgumentException("What is that?");
        };
    try (CatchUp catchUp = catchUp(asked)) {
      for (int i = 0; i < 500 && asked.get() < 3; i++) {
        SEAMS.sleep(Duration.ofMillis(10));
      }
      assertThat(asked.get()).isGreaterThanOrEqualTo(3);
      other = () -> Map.of(STORE, missed(built));
      while (node.service().live(STORE) < 2) {
        SEAMS.sleep(Duration.ofMillis(10));
      }
      assertThatCode(() -> catchUp.check(STORE)).doesNotThrowAnyException();
    }
  }
}
