package io.braid.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestWordTest {
  private static final List<String> VERBS = List.of("begin", "get", "set", "explain", "scan");

  @Test
  void aSlipOfTheFingerIsUnderstood() {
    assertThat(NearestWord.to("gte", VERBS)).contains("get");
    assertThat(NearestWord.to("explian", VERBS)).contains("explain");
    assertThat(NearestWord.to("beginn", VERBS)).contains("begin");
    assertThat(NearestWord.hint("sacn", VERBS)).isEqualTo(" Did you mean 'scan'?");
  }

  @Test
  void anotherWordIsNotGuessedAt() {
    assertThat(NearestWord.to("rollback", VERBS)).isEmpty();
    assertThat(NearestWord.hint("", VERBS)).isEmpty();
  }
}
