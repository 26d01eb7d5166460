package io.braid.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentEntriesTest {
  private final RecentEntries<String, Integer> recent = new RecentEntries<>(2);

  @Test
  void theEntryThatWasUsedLongestAgoIsForgotten() {
    recent.put("a", 1);
    recent.put("b", 2);
    assertThat(recent.get("a")).isEqualTo(1);
    recent.put("c", 3);
    assertThat(recent.get("b")).isNull();
    assertThat(recent.get("a")).isEqualTo(1);
    assertThat(recent.size()).isEqualTo(2);
  }

  @Test
  void aValueIsMadeOnlyIfThereIsNone() {
    assertThat(recent.getOrMake("a", key -> 1)).isEqualTo(1);
    assertThat(recent.getOrMake("a", key -> 2)).isEqualTo(1);
    recent.put("b", 2);
    assertThat(recent.getOrMake("a", key -> 3)).isEqualTo(1);
    recent.put("c", 3);
    assertThat(recent.get("b")).as("a was used later").isNull();
  }

  @Test
  void anUpdateSeesTheValueBefore() {
    assertThat(recent.update("a", before -> before == null ? 1 : before + 1)).isEqualTo(1);
    assertThat(recent.update("a", before -> before == null ? 1 : before + 1)).isEqualTo(2);
    assertThat(recent.get("a")).isEqualTo(2);
  }
}
