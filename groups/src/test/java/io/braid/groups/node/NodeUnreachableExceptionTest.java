package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class NodeUnreachableExceptionTest {
  @Test
  void theEndOfAConnectionIsToldInWords() {
    assertThat(new NodeUnreachableException("h:1", new EOFException()))
        .hasMessageContaining("(it has closed the connection)");
    assertThat(new NodeUnreachableException("h:1", new IOException("Connection refused")))
        .hasMessageContaining("(Connection refused)");
  }
}
