package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A node with everything that doors lead to, which no test of a class changes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class UnchangedNode {
  @TempDir static Path dir;
  DoorsNode node;
  HttpDoors http;
  private Map<String, String> before;

  @BeforeAll
  void start() throws Exception {
    node = new DoorsNode(dir);
    http = node.http();
  }

  @AfterAll
  void end() {
    node.close();
  }

  @BeforeEach
  void look() {
    before = node.state();
  }

  @AfterEach
  void nothingHasChanged() {
    assertThat(node.state()).as("state of the node after the requests").isEqualTo(before);
  }
}
