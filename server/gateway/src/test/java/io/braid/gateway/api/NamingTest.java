package io.braid.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault 59: what clients name is of users, never Braid's own. */
class NamingTest {
  private static final Bytes KEY = Bytes.of("k");

  @Test
  void keysAndQualifiersAreAnyBytes() {
    Bytes bytes = Bytes.wrap(new byte[] {0, (byte) 0xFF});
    assertThat(Naming.row("accounts", bytes)).isEqualTo(new Row("accounts", bytes));
    assertThat(Naming.column("balance", bytes).name().qualifier()).isEqualTo(bytes);
    assertThat(Naming.column("balance", Bytes.EMPTY).name().qualifier()).isEqualTo(Bytes.EMPTY);
  }

  @Test
  void aRowHasAKey() {
    assertThatThrownBy(() -> Naming.row("accounts", Bytes.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "~braid", "a~b", "~", "a/b", ".a", "a\n", "a b", "store/people"})
  void ownTablesAreNotForClients(String table) {
    assertThatThrownBy(() -> Naming.table(table)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Naming.row(table, KEY)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theGatewaysTablesAreNotForClients() {
    for (String table : List.of("braid.requests", "braid.requests-omid")) {
      assertThatThrownBy(() -> Naming.table(table))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("gateway's own");
      assertThatThrownBy(() -> Naming.row(table, KEY)).hasMessageContaining("gateway's own");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "~lock", "a~b", "a.b", "a:b", "a\n"})
  void ownFamiliesAreNotForClients(String family) {
    assertThatThrownBy(() -> Naming.column(family, KEY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("family");
  }
}
