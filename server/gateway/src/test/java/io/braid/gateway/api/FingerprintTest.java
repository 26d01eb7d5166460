package io.braid.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A fingerprint is kept: other versions of Braid have to make the same one. */
class FingerprintTest {
  private static final Row ROW = Row.of("t", "r");
  private static final Column<Bytes> COLUMN = Column.of("f", "q", Codecs.bytes());

  @Test
  void itIsTheDigestOfAllOperationsTogether() throws Exception {
    Bytes value = Bytes.wrap(new byte[100_000]);
    List<Operation> operations =
        List.of(
            new Operation.Set(ROW, Map.of(COLUMN, Optional.of(value))),
            new Operation.Set(ROW, Map.of(COLUMN, Optional.empty())),
            new Operation.Lock(ROW, List.of(COLUMN)));
    Encoder all = new Encoder().text("tx").varint(3);
    all.text("set").row(ROW).varint(1).column(COLUMN.name()).bool(true).bytes(value);
    all.text("set").row(ROW).varint(1).column(COLUMN.name()).bool(false).bytes(Bytes.EMPTY);
    all.text("lock").row(ROW).varint(1).column(COLUMN.name());
    byte[] expected = MessageDigest.getInstance("SHA-256").digest(all.finish().toArray());
    assertThat(Fingerprint.of("tx", operations)).isEqualTo(Bytes.wrap(expected));
  }
}
