package io.braid.core.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorCodeTest {
  @ParameterizedTest
  @EnumSource
  void aCodeIsFoundByItsWordInBothForms(ErrorCode code) {
    assertThat(code.word()).matches("[a-z]+( [a-z]+)*");
    assertThat(ErrorCode.of(code.word())).contains(code);
    assertThat(ErrorCode.of(code.name())).contains(code);
    assertThat(ErrorCode.of("no such word")).isEmpty();
  }
}
