package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Encoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault 57: what one connection is refused, before the node is asked for anything. */
class SessionTest {
  private static final Roles.Visitor WRITER =
      new Roles.Visitor("ann", (role, on) -> role != Roles.Role.ADMIN);

  @ParameterizedTest
  @ValueSource(ints = {Wire.TAKE_UP, Wire.SWEEP, Wire.CARRY})
  @SuppressWarnings("NullAway") // the node is not asked
  void whatIsForNodesIsRefusedToOthers(int kind) {
    Session session = new Session(null, WRITER);
    Bytes answer = session.answer(new Encoder(1).u8(kind).finish());
    assertThat(new String(answer.toArray(), StandardCharsets.UTF_8))
        .contains("ann", "needs the role admin");
  }
}
