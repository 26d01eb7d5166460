package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which node owns which keys. */
class KeyPlacementTest {
  private static final List<String> THREE = List.of("node-0", "node-1", "node-2");
  private static final List<String> FOUR = List.of("node-0", "node-1", "node-2", "node-3");

  private static final List<Row> KEYS =
      IntStream.range(0, 6000).mapToObj(i -> Row.of("players", "p" + i)).toList();

  private static String owner(Row key, List<String> names) {
    return KeyPlacement.owner(key, names, "nobody");
  }

  @Test
  void eachNodeOwnsAboutAsManyKeysAsAnother() {
    Map<String, Long> owned =
        KEYS.stream()
            .map(key -> owner(key, THREE))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertThat(owned.keySet()).containsExactlyInAnyOrderElementsOf(THREE);
    assertThat(owned.values()).allMatch(count -> count > 1800 && count < 2200);
  }

  /** All others stay where they are. */
  @Test
  void whenANodeComesItGetsItsShareAndNoOtherKeyMoves() {
    List<Row> moved =
        KEYS.stream().filter(key -> !owner(key, THREE).equals(owner(key, FOUR))).toList();
    assertThat(moved).hasSizeBetween(1350, 1650);
    assertThat(moved).allMatch(key -> owner(key, FOUR).equals("node-3"));
  }

  @Test
  void theOrderInWhichNodesAreKnownDoesNotMatter() {
    List<String> otherwise = List.of("node-2", "node-0", "node-1");
    assertThat(KEYS).allMatch(key -> owner(key, THREE).equals(owner(key, otherwise)));
    assertThat(KEYS.stream().map(key -> owner(key, List.of())).distinct())
        .containsExactly("nobody");
  }
}
