package io.braid.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.http.HttpRefusal;
import io.braid.percolator.garbage.Rate;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often an identity may ask. */
class PaceTest {
  private final Clocks clocks = new Clocks();
  private final Pace pace = new Pace(new ManualSeams(clocks, "test"), Rate.parse("10/s"));

  private static Identity identity(String name, Allowance allowance) {
    return new Identity(name, List.of(), allowance);
  }

  private int admitted(Identity identity) {
    int admitted = 0;
    try {
      for (; admitted < 1000; admitted++) {
        pace.admit(identity);
      }
    } catch (HttpRefusal e) {
      assertThat(e.status()).isEqualTo(429);
    }
    return admitted;
  }

  @Test
  void whoPausesMayMakeUpForASecondOfItAndNoMore() {
    Identity one = identity("one", Allowance.USUAL);
    assertThat(admitted(one)).isEqualTo(10);
    clocks.pass(300);
    assertThat(admitted(one)).isEqualTo(3);
    clocks.pass(3_600_000);
    assertThat(admitted(one)).isEqualTo(10);
    assertThat(admitted(identity("other", Allowance.USUAL))).isEqualTo(10);
  }

  @Test
  void anIdentityMayHaveARateOfItsOwn() {
    Identity slow = identity("slow", Allowance.parse("requests=2/s"));
    assertThat(admitted(slow)).isEqualTo(2);
    assertThat(admitted(identity("fast", Allowance.parse("requests=unlimited")))).isEqualTo(1000);
    pace.each(Rate.parse("5/s"));
    assertThat(admitted(identity("usual", Allowance.USUAL))).isEqualTo(5);
    clocks.pass(1000);
    assertThatCode(() -> pace.admit(slow)).doesNotThrowAnyException();
    pace.admit(slow);
    assertThatThrownBy(() -> pace.admit(slow)).isInstanceOf(HttpRefusal.class);
  }
}
