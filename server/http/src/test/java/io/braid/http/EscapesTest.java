package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class EscapesTest {
  @Test
  void whatWasEscapedComesBack() {
    assertThat(Escapes.decode("a+b%20c%2fd%C3%A9%00\u00E9")).isEqualTo("a+b c/d\u00E9\u0000\u00E9");
    assertThat(Escapes.decode("")).isEmpty();
  }

  @Test
  void whatIsNoTextIsRefused() {
    for (String each : List.of("%", "a%4", "%zz", "%-1", "%FF", "a%C3", "%C3%28", "%ED%A0%80")) {
      assertThatThrownBy(() -> Escapes.decode(each))
          .as(each)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("The address is not escaped");
    }
  }
}
