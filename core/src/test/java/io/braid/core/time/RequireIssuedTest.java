package io.braid.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Fault 84. */
class RequireIssuedTest {
  private final LocalOracle oracle =
      new LocalOracle(
          new FakeBound(), new FakeSeams(Instant.parse("2026-05-04T10:00:00Z").toEpochMilli(), 1));

  @Test
  void whatWasGivenOutPassesWithWhatTabletClocksDrewFromIt() {
    long given = oracle.next();

    assertThat(oracle.requireIssued(0)).isZero();
    assertThat(oracle.requireIssued(given)).isEqualTo(given);
    assertThat(oracle.requireIssued(given + 7)).isEqualTo(given + 7);
  }

  @Test
  void whatIsToComeAndWhatIsNegativeIsRefused() {
    long given = oracle.next();

    for (long wrong : new long[] {given + Timestamp.STEP, Timestamp.MAX, -1, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> oracle.requireIssued(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has not given out timestamp")
          .hasMessageContaining(Long.toString(wrong));
    }
  }

  @Test
  void aClientAlsoLetsPassWhatOthersGot() {
    RisingOracle client = new RisingOracle(oracle);
    long own = client.next();
    long others = oracle.next();

    assertThat(client.requireIssued(own)).isEqualTo(own);
    assertThat(client.requireIssued(others)).isEqualTo(others);
    assertThatThrownBy(() -> client.requireIssued(others + Timestamp.STEP))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has not given out timestamp");
  }
}
