package io.braid.core.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.DecisionPoint;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionIdTest {
  @Test
  void parsesWhatItPrints() {
    TransactionId id =
        new TransactionId(
            1234,
            new DecisionPoint.PrimaryCell(Row.of("accounts", "bob"), ColumnName.of("bal", "usd")));

    assertThat(TransactionId.parse(id.toString())).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "12", "12-", "-AQ", "x-AQRm", "12-!!", "12-AQ", "12-AwFhYg"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> TransactionId.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no transaction id");
  }
}
