package io.braid.serving.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.NotFinishedException;
import io.braid.serving.node.CanaryPlan;
import io.braid.serving.node.CanaryReport;
import io.braid.serving.node.MissedPush;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Fault 48: one node fails to fetch or to swap, and the version is live nowhere. */
class PushTest {
  /** A node that does as it is told, but for what it is to fail at. */
  private static final class Scripted implements PushNode {
    private final String name;
    private final Set<String> failing;
    private final boolean lostAnswers;
    private final Map<String, Long> pushes = new HashMap<>();
    private Optional<MissedPush> missed = Optional.empty();
    private String holder = "";
    private String source = "";
    private long fetching;
    private boolean confirmed;
    private long live = 3;
    private long flips;

    Scripted(String name, boolean lostAnswers, String... failing) {
      this.name = name;
      this.failing = Set.of(failing);
      this.lostAnswers = lostAnswers;
    }

    private void may(String what) throws IOException {
      if (failing.contains(what)) {
        throw new IOException("no " + what + " today.");
      }
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int id() {
      return name.charAt(0) - 'a';
    }

    @Override
    public void lease(String store, String push, Duration length) throws IOException {
      may("lease");
      if (!holder.isEmpty() && !holder.equals(push)) {
        throw new IllegalStateException("Push " + holder + " is running.");
      }
      holder = push;
    }

    @Override
    public void release(String store, String push) {
      holder = holder.equals(push) ? "" : holder;
    }

    @Override
    public State state(String store, String push) {
      boolean alone = failing.contains("cluster");
      return new State(live + 1, live, flips, pushes.getOrDefault(push, 0L), alone);
    }

    @Override
    public void fetch(String store, String push, String from, long version, boolean peers)
        throws IOException {
      may("fetch");
      assertThat(from).endsWith("/node-" + id());
      fetching = failing.contains("progress of its own") ? version + 1 : version;
      source = from;
    }

    @Override
    public Progress progress(String store) {
      return new Progress(
          fetching, source, 9, 9, true, failing.contains("progress") ? "checksum" : "");
    }

    @Override
    public void prepare(String store, String push, long version, boolean force) throws IOException {
      may("prepare");
    }

    @Override
    public CanaryReport canary(String store, String push, long version, CanaryPlan plan) {
      if (failing.contains("canary")) {
        throw new IllegalStateException("The canary refused it.");
      }
      return CanaryReport.NOTHING;
    }

    @Override
    public void swap(
        String store,
        String push,
        long version,
        boolean force,
        long seen,
        Optional<MissedPush> missing)
        throws IOException {
      assertThat(seen).isEqualTo(flips);
      if (lostAnswers) {
        flip(version);
      }
      may("swap");
      flip(version);
      missed = missing;
      pushes.put(push, version);
    }

    private void flip(long version) {
      flips += live == version ? 0 : 1;
      live = version;
    }

    @Override
    public void confirm(String store, String push) {
      confirmed = true;
    }

    @Override
    public void takeBack(String store, long version, long seen) {
      if (failing.contains("takeBack")) {
        throw new IllegalStateException("no takeBack today.");
      }
      if (live == version && (seen < 0 || seen + 1 == flips)) {
        flip(3);
      }
    }
  }

  private static PushResult push(List<? extends PushNode> nodes, PushPlan plan) {
    return new Push(new SystemSeams(), nodes, plan, (step, done, total) -> {}).run();
  }

  private static long push(List<? extends PushNode> nodes) {
    return push(nodes, PushPlan.of("s", "one", "/built")).version();
  }

  /** Fault 48: another fetch of the node, as one that catches up, ended well; not this one. */
  @Test
  void endOfAnotherFetchIsNotTakenForItsOwn() {
    Scripted fine = new Scripted("a", false);
    Scripted other = new Scripted("b", false, "progress of its own");
    assertThatThrownBy(() -> push(List.of(fine, other)))
        .isInstanceOf(NotFinishedException.class)
        .hasMessageContaining("has begun to fetch");
    assertThat(fine.live).isEqualTo(3);
  }

  @Test
  void whatTheCanaryOfOneNodeRefusesIsSwappedNowhere() {
    Scripted fine = new Scripted("a", false);
    Scripted refusing = new Scripted("b", false, "canary");
    CanaryPlan canary = CanaryPlan.of(1, 10, Duration.ofSeconds(1));
    PushPlan plan = PushPlan.of("s", "one", "/built");
    assertThatThrownBy(() -> push(List.of(fine, refusing), plan.canary(canary)))
        .isInstanceOf(NotFinishedException.class)
        .hasMessageContaining("b could not try it out: The canary refused it.");
    assertThat(fine.live).isEqualTo(3);
    assertThat(push(List.of(fine, refusing), plan).version()).isEqualTo(4);
  }

  /** Fault 48: nobody would tell a dead node without a cluster that it missed anything. */
  @Test
  void noNodeIsLeftBehindThatNobodyTells() {
    Scripted fine = new Scripted("a", false);
    Scripted alone = new Scripted("b", false, "cluster");
    Scripted dead = new Scripted("c", false, "lease");
    PushPlan plan = PushPlan.of("s", "one", "/built").tolerating(1);
    assertThatThrownBy(() -> push(List.of(fine, alone, dead), plan))
        .isInstanceOf(NotFinishedException.class)
        .hasMessageContaining("in no cluster")
        .hasMessageContaining("Nothing was swapped");
    assertThat(fine.fetching).isZero();
    assertThat(push(List.of(fine, dead), plan).missed()).containsExactly("c");
    assertThatThrownBy(() -> plan.deferred(true)).hasMessageContaining("needs all of them");
  }

  @Test
  void allSwap() {
    List<PushNode> nodes = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      nodes.add(new Scripted(name, false));
    }
    assertThat(push(nodes)).isEqualTo(4);
    nodes.forEach(node -> assertThat(((Scripted) node).live).isEqualTo(4));
  }

  @Test
  void whenOneCannotFetchOrPrepareNothingIsSwapped() {
    for (String step : List.of("fetch", "progress", "prepare")) {
      Scripted good = new Scripted("a", false);
      Scripted bad = new Scripted("b", false, step);
      assertThatThrownBy(() -> push(List.of(good, bad)))
          .isInstanceOf(NotFinishedException.class)
          .hasMessageContaining("Node b");
      assertThat(good.live).isEqualTo(3);
      assertThat(bad.live).isEqualTo(3);
    }
  }

  @Test
  void whenOneCannotSwapTheOthersTakeTheVersionBack() {
    for (boolean lostAnswer : List.of(false, true)) {
      Scripted first = new Scripted("a", false);
      Scripted bad = new Scripted("b", lostAnswer, "swap");
      Scripted last = new Scripted("c", false);
      assertThatThrownBy(() -> push(List.of(first, bad, last)))
          .isInstanceOfSatisfying(
              NotFinishedException.class, e -> assertThat(e.unsettled()).isEmpty())
          .hasMessageContaining("taken back everywhere");
      assertThat(List.of(first.live, bad.live, last.live)).containsExactly(3L, 3L, 3L);
    }
  }

  /** A swap that is repeated on nodes of which one fails: the others had the version before. */
  @Test
  void whatWasLiveBeforeIsNotTakenBack() {
    Scripted a = new Scripted("a", false);
    Scripted b = new Scripted("b", false, "swap");
    Scripted c = new Scripted("c", false);
    Scripted d = new Scripted("d", false);
    a.live = 5;
    c.live = 4;
    d.live = 5;
    List<Scripted> nodes = List.of(a, c, b, d);
    assertThatThrownBy(() -> Push.swapPrepared(new SystemSeams(), nodes, "s", 5, false))
        .isInstanceOf(NotFinishedException.class);
    assertThat(a.live).isEqualTo(5);
    assertThat(c.live).isEqualTo(3);
    assertThat(d.live).isEqualTo(5);
  }

  @Test
  void whatCouldNotBeTakenBackIsSaid() {
    Scripted first = new Scripted("a", false, "takeBack");
    Scripted bad = new Scripted("b", false, "swap");
    assertThatThrownBy(() -> push(List.of(first, bad)))
        .isInstanceOfSatisfying(
            NotFinishedException.class, e -> assertThat(e.unsettled()).containsExactly("a"))
        .hasMessageContaining("no swap today")
        .hasMessageContaining("no takeBack today");
  }

  @Test
  void aPushWithAnIdThatWentThroughChangesNothing() {
    List<Scripted> nodes = List.of(new Scripted("a", false), new Scripted("b", false));
    assertThat(push(nodes)).isEqualTo(4);
    nodes.forEach(node -> node.takeBack("s", 4, -1));
    PushResult again = push(nodes, PushPlan.of("s", "one", "/built"));
    assertThat(again.before()).isTrue();
    assertThat(again.version()).isEqualTo(4);
    nodes.forEach(node -> assertThat(node.live).as("rolled back meanwhile").isEqualTo(3));
    assertThat(push(nodes, PushPlan.of("s", "two", "/built")).before()).isFalse();
  }

  @Test
  void aPushThatDiedBetweenTwoSwapsIsFinishedWithItsId() {
    Scripted first = new Scripted("a", false);
    Scripted last = new Scripted("b", false);
    push(List.of(first));
    assertThat(push(List.of(first, last))).isEqualTo(4);
    assertThat(List.of(first.live, last.live)).containsExactly(4L, 4L);
  }

  @Test
  void aDeadNodeIsLeftBehindOnlyWhenThatIsAllowed() {
    for (String step : List.of("lease", "fetch", "prepare")) {
      Scripted live = new Scripted("a", false);
      Scripted dead = new Scripted("b", false, step);
      assertThatThrownBy(() -> push(List.of(live, dead))).hasMessageContaining("Node b");
      assertThat(live.holder).as("its lease was given back").isEmpty();
      PushResult pushed =
          push(List.of(live, dead), PushPlan.of("s", "two", "/built").tolerating(1));
      assertThat(pushed.missed()).containsExactly("b");
      // The next number may stand for something else on a node that could not be asked.
      assertThat(live.live > 4).as("after '%s'", step).isEqualTo(step.equals("lease"));
      assertThat(live.missed).contains(new MissedPush(live.live, "/built", Set.of(1), false));
      assertThat(live.confirmed).as("told that it went through").isTrue();
    }
  }

  @Test
  void oneAtATime() {
    Scripted first = new Scripted("a", false);
    Scripted last = new Scripted("b", false);
    last.holder = "other";
    assertThatThrownBy(() -> push(List.of(first, last))).hasMessageContaining("Push other");
    assertThat(first.holder).isEmpty();
    assertThat(first.live).isEqualTo(3);
  }

  @Test
  void aDeferredPushIsMadeLiveLater() {
    Scripted node = new Scripted("a", false);
    PushResult ready = push(List.of(node), PushPlan.of("s", "one", "/built").deferred(true));
    assertThat(node.live).isEqualTo(3);
    Push.swapPrepared(new SystemSeams(), List.of(node), "s", ready.version(), false);
    assertThat(node.live).isEqualTo(4);
    assertThatThrownBy(() -> PushPlan.of("s", "../x", "/built")).hasMessageContaining("no id");
  }
}
