package io.braid.serving.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Fault 48: one node fails to fetch or to swap, and the version is live nowhere. */
class PushTest {
  /** A node that does as it is told, but for what it is to fail at. */
  private static final class Scripted implements PushNode {
    private final String name;
    private final Set<String> failing;
    private final boolean lostAnswers;
    private long live = 3;

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
    public long next(String store) {
      return live + 1;
    }

    @Override
    public void fetch(String store, String from, long version) throws IOException {
      may("fetch");
    }

    @Override
    public Progress progress(String store) {
      return new Progress(9, 9, true, failing.contains("progress") ? "checksum" : "");
    }

    @Override
    public void prepare(String store, long version, boolean force) throws IOException {
      may("prepare");
    }

    @Override
    public void swap(String store, long version, boolean force) throws IOException {
      if (lostAnswers) {
        live = version;
      }
      may("swap");
      live = version;
    }

    @Override
    public void takeBack(String store, long version) throws IOException {
      may("takeBack");
      live = live == version ? 3 : live;
    }
  }

  private static long push(List<PushNode> nodes) {
    return new Push(new SystemSeams(), nodes, "s", false, (step, done, total) -> {})
        .run(node -> "/built/node-" + node, 0);
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
          .isInstanceOf(PushFailedException.class)
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
              PushFailedException.class, e -> assertThat(e.unsettled()).isEmpty())
          .hasMessageContaining("taken back everywhere");
      assertThat(List.of(first.live, bad.live, last.live)).containsExactly(3L, 3L, 3L);
    }
  }

  @Test
  void whatCouldNotBeTakenBackIsSaid() {
    Scripted first = new Scripted("a", false, "takeBack");
    Scripted bad = new Scripted("b", false, "swap");
    assertThatThrownBy(() -> push(List.of(first, bad)))
        .isInstanceOfSatisfying(
            PushFailedException.class, e -> assertThat(e.unsettled()).containsExactly("a"))
        .hasMessageContaining("no swap today")
        .hasMessageContaining("no takeBack today");
  }
}
