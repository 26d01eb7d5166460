package io.braid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.failure.ErrorCode;
import org.junit.jupiter.api.Test;

class ErrorCodesTest {
  @Test
  void aLostAnswerIsAnUnknownOutcomeAndNotSomethingToTryAgain() {
    assertThat(new UnavailableException("UNAVAILABLE", "lost", true).code())
        .isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    assertThat(new UnavailableException("UNAVAILABLE", "down", false).code())
        .isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void aRefusalHasTheCodeOfItsReasonOrNoneOfItsOwn() {
    assertThat(new RefusedException("HELD_BY_GROUP", "").code()).isEqualTo(ErrorCode.HELD_BY_GROUP);
    assertThat(new RefusedException("FORBIDDEN", "").code()).isEqualTo(ErrorCode.REFUSED);
  }
}
