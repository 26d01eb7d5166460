package io.braid.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Where tasks are sent to. */
class TablePartTest {
  private static String[] preferred(String server, boolean local) {
    return new TablePart(new byte[0], null, 1, TablePart.host(server, local)).preferredLocations();
  }

  @Test
  void aTaskIsSentToTheHostOfItsTablet() {
    assertThat(preferred("rs1.example.org,16020,1700", false)).containsExactly("rs1.example.org");
    assertThat(preferred("10.0.0.1:16020", false)).containsExactly("10.0.0.1");
  }

  /** In local mode Spark waits for ever for an executor of such a name. */
  @Test
  void noTaskWaitsForAHostThatHasNoExecutor() {
    assertThat(preferred("rs1.example.org,16020,1700", true)).isEmpty();
    assertThat(preferred("localhost,16020,1700", false)).isEmpty();
    assertThat(preferred("", false)).isEmpty();
  }
}
