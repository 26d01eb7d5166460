package io.braid.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.mapping.FieldType;
import io.braid.batch.mapping.Mapping;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import java.util.List;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Rows of Spark with different keys stay different rows of the table. Fault 74. */
class TableShapeTest {
  private final TableShape shape =
      new TableShape(
          new Mapping(
              List.of("c", "i"),
              "/",
              Map.of("v", new Mapping.Target("f:v", FieldType.TEXT)),
              null));

  @Test
  void keysWhoseFieldsCannotBeToldApartAreRefused() {
    assertThatThrownBy(() -> key("x/y", "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'c' cannot be told from the next");
    assertThat(shape.split(new Row("t", key("x", "y/1")))).containsExactly("x", "y/1");
  }

  @Test
  void bytesThatAreNoTextAreRefusedInsteadOfMerged() {
    assertThatThrownBy(
            () ->
                shape.key(
                    new UTF8String[] {
                      UTF8String.fromBytes(new byte[] {(byte) 0xFF}), UTF8String.fromString("1")
                    }))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private Bytes key(String first, String second) {
    return shape.key(
        new UTF8String[] {UTF8String.fromString(first), UTF8String.fromString(second)});
  }
}
