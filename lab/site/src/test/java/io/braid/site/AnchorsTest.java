package io.braid.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnchorsTest {
  private final Anchors anchors = new Anchors();

  @Test
  void anchorsAreThoseThatGitHubMakes() {
    assertThat(anchors.next("Who may do what")).isEqualTo("who-may-do-what");
    assertThat(anchors.next("`braid get`, set & co.")).isEqualTo("braid-get-set--co");
    assertThat(anchors.next("lock_ttl: 5-10 s")).isEqualTo("lock_ttl-5-10-s");
    assertThat(anchors.next("Größe")).isEqualTo("größe");
  }

  @Test
  void headingsThatRepeatAreNumbered() {
    assertThat(anchors.next("Limits")).isEqualTo("limits");
    assertThat(anchors.next("Limits")).isEqualTo("limits-1");
    assertThat(anchors.next("limits")).isEqualTo("limits-2");
  }
}
