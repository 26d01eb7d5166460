package io.braid.serving.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Int64Value;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.util.ClassSecurityValidator;
import org.apache.avro.util.ClassSecurityValidator.ClassSecurityPredicate;
import org.junit.jupiter.api.Test;

/** The forms of values that a client may choose (section 3.1.1). */
class CodecsTest {
  private static final Schema OLD =
      SchemaBuilder.record("io.braid.serving.client.AvroScore")
          .fields()
          .requiredString("name")
          .requiredInt("points")
          .endRecord();
  private static final Schema NEW = AvroScore.SCHEMA$;

  private static GenericRecord bob() {
    return new GenericRecordBuilder(OLD).set("name", "bob").set("points", 12).build();
  }

  @Test
  void avroMapsWhatAnOldSchemaWroteToTheOneThatIsWanted() {
    Bytes written = AvroCodec.of(OLD).encode(bob());
    assertThat(written).as("no header").isEqualTo(Bytes.ofInts(6, 'b', 'o', 'b', 24));
    assertThat(AvroCodec.of(OLD).decode(written).get("points")).isEqualTo(12);
    GenericRecord mapped = AvroCodec.of(OLD, NEW).decode(written);
    assertThat(mapped.get("points")).isEqualTo(12L);
    assertThat(mapped.get("level")).isEqualTo(7);
  }

  @Test
  void avroMakesObjectsOfClassesThatItTrusts() {
    assertThatThrownBy(() -> AvroCodec.of(AvroScore.class, OLD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("SERIALIZABLE_PACKAGES=io.braid.serving.client");
    ClassSecurityPredicate before = ClassSecurityValidator.getGlobal();
    ClassSecurityValidator.setGlobal(type -> type == AvroScore.class || before.isTrusted(type));
    try {
      readByAGeneratedClass();
    } finally {
      ClassSecurityValidator.setGlobal(before);
    }
  }

  private static void readByAGeneratedClass() {
    Bytes written = AvroCodec.of(OLD).encode(bob());
    AvroScore score = AvroCodec.of(AvroScore.class, OLD).decode(written);
    assertThat(score.get(0)).isEqualTo(12L);
    assertThat(score.get(1).toString()).isEqualTo("bob");
    Codec<AvroScore> own = AvroCodec.of(AvroScore.class, NEW);
    score.put(2, 9);
    assertThat(own.decode(own.encode(score))).isEqualTo(score);
  }

  @Test
  void avroWritesOnlyTheSchemaThatReadersGoBy() {
    assertThatThrownBy(() -> AvroCodec.of(NEW).encode(bob()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("codec of the record's own schema");
    assertThatThrownBy(() -> AvroCodec.of(OLD).encode(new GenericData.Record(OLD)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be written");
    assertThatThrownBy(() -> AvroCodec.of(NEW, OLD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reader type: INT");
  }

  @Test
  void avroRefusesWhatIsNoneOfItsOwn() {
    Codec<GenericRecord> codec = AvroCodec.of(OLD);
    Bytes good = codec.encode(bob());
    for (int length = 0; length < good.length(); length++) {
      Bytes cut = good.slice(0, length);
      assertThatThrownBy(() -> codec.decode(cut))
          .as("%s bytes", length)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> codec.decode(Bytes.ofInts(6, 'b', 'o', 'b', 24, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("longer");
  }

  @Test
  void lengthsThatAreNotThereAllocateNothing() {
    Bytes huge = Bytes.ofInts(0xFC, 0xFF, 0xFF, 0xFF, 0x0F, 'x');
    Codec<GenericRecord> codec = AvroCodec.of(OLD);
    assertThatThrownBy(() -> codec.decode(huge)).isInstanceOf(IllegalArgumentException.class);
    Codec<GenericRecord> lists =
        AvroCodec.of(
            SchemaBuilder.record("L")
                .fields()
                .name("all")
                .type()
                .array()
                .items()
                .longType()
                .noDefault()
                .endRecord());
    assertThatThrownBy(() -> lists.decode(huge)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                ProtobufCodec.of(Struct.getDefaultInstance())
                    .decode(Bytes.ofInts(0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 'x')))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void protobufHandsOnFieldsThatItDoesNotKnow() {
    Timestamp both = Timestamp.newBuilder().setSeconds(17).setNanos(4).build();
    Bytes bytes = ProtobufCodec.of(Timestamp.getDefaultInstance()).encode(both);
    Codec<Int64Value> older = ProtobufCodec.of(Int64Value.getDefaultInstance());
    Int64Value read = older.decode(bytes);
    assertThat(read.getValue()).isEqualTo(17);
    assertThat(older.encode(read)).isEqualTo(bytes);
  }

  @Test
  void protobufTakesMessagesWithoutGeneratedClasses() {
    Codec<DynamicMessage> codec =
        ProtobufCodec.of(DynamicMessage.getDefaultInstance(Timestamp.getDescriptor()));
    FieldDescriptor seconds = Timestamp.getDescriptor().findFieldByName("seconds");
    Bytes bytes =
        ProtobufCodec.of(Timestamp.getDefaultInstance())
            .encode(Timestamp.newBuilder().setSeconds(3).build());
    assertThat(codec.decode(bytes).getField(seconds)).isEqualTo(3L);
    assertThatThrownBy(() -> codec.decode(Bytes.ofInts(0x08)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Protobuf");
  }

  @Test
  void aValueSaysWhichSchemaItHas() {
    Codec<Value> fresh = ProtobufCodec.of(Value.getDefaultInstance());
    Codec<Value> old =
        Codecs.of(
            value -> Bytes.of(value.getStringValue()),
            bytes -> Value.newBuilder().setStringValue(bytes.toUtf8()).build());
    Codec<Value> before = new SchemaCodec<>(1, old, Map.of(300, fresh));
    Codec<Value> after = new SchemaCodec<>(300, fresh, Map.of(1, old));
    Value value = Value.newBuilder().setStringValue("pear").build();
    assertThat(before.encode(value)).isEqualTo(Bytes.ofInts(1, 'p', 'e', 'a', 'r'));
    for (Codec<Value> reader : List.of(before, after)) {
      assertThat(reader.decode(before.encode(value))).isEqualTo(value);
      assertThat(reader.decode(after.encode(value))).isEqualTo(value);
    }
    assertThatThrownBy(() -> new SchemaCodec<>(1, old, Map.of()).decode(after.encode(value)))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED))
        .hasMessageContaining("schema 300")
        .hasMessageContaining("[1]");
    assertThatThrownBy(() -> before.decode(Bytes.EMPTY))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
