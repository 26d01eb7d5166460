package io.braid.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was opened is closed in reverse, whatever goes wrong. */
class OpenResourcesTest {
  private final List<String> closed = new ArrayList<>();
  private final OpenResources opened = new OpenResources();

  private void failing(String name) {
    closed.add(name);
    throw new IllegalStateException(name);
  }

  @Test
  void everythingIsClosedOnceAndTheFirstFailureIsTold() {
    opened.keep("store", closed::add);
    opened.keep("log", this::failing);
    opened.keep("duty", closed::add);
    opened.keep("node", this::failing);
    assertThatThrownBy(opened::close)
        .hasMessage("node")
        .satisfies(first -> assertThat(first.getSuppressed()[0]).hasMessage("log"));
    assertThat(closed).containsExactly("node", "duty", "log", "store");
    opened.close();
    assertThat(closed).hasSize(4);
  }

  @Test
  void whatCouldNotBeOpenedStaysTheFailureThatIsTold() {
    opened.keep("store", this::failing);
    RuntimeException why = new RuntimeException("why");
    opened.closeAfter(why);
    assertThat(why.getSuppressed()[0]).hasMessage("store");
  }
}
