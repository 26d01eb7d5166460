package io.braid.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.text.Nearest;
import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  private static final List<String> VERBS = List.of("begin", "get", "set", "explain", "scan");

  @Test
  void aSlipOfTheFingerIsUnderstood() {
    assertThat(Nearest.to("gte", VERBS)).contains("get");
    assertThat(Nearest.to("explian", VERBS)).contains("explain");
    assertThat(Nearest.to("beginn", VERBS)).contains("begin");
    assertThat(Nearest.hint("sacn", VERBS)).isEqualTo(" Did you mean 'scan'?");
  }

  @Test
  void anotherWordIsNotGuessedAt() {
    assertThat(Nearest.to("rollback", VERBS)).isEmpty();
    assertThat(Nearest.hint("", VERBS)).isEmpty();
  }
}
