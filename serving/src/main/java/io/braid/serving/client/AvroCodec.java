package io.braid.serving.client;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaCompatibility.SchemaPairCompatibility;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.util.ClassSecurityValidator;
import org.apiguardian.api.API;

/**
 * Values as Avro's binary form of one record, without a file's header: the schema is known by the
 * number that comes with a version ({@link TypedStore}) or a value ({@link SchemaCodec}). The class
 * path must have {@code org.apache.avro:avro}.
 *
 * <p>A codec has the schema that values were written by, and the one that the program wants: Avro
 * maps the one to the other, by names, defaults and promotions. Only a codec of one and the same
 * schema encodes.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class AvroCodec {
  private AvroCodec() {}

  /** Records without generated classes, written and read by one schema. */
  public static Codec<GenericRecord> of(Schema schema) {
    return of(schema, schema);
  }

  /**
   * Records without generated classes.
   *
   * @param written by which the values were written
   * @param wanted which the records shall have
   * @throws IllegalArgumentException when Avro cannot map the one to the other
   */
  public static Codec<GenericRecord> of(Schema written, Schema wanted) {
    return checked(
        written,
        wanted,
        () -> new GenericDatumReader<>(written, wanted, GenericData.get()),
        new GenericDatumWriter<>(written, GenericData.get()));
  }

  /**
   * Records of a class that Avro generated, which Avro must trust: it makes objects only of classes
   * whose packages are named in the system property {@code org.apache.avro.SERIALIZABLE_PACKAGES}.
   *
   * @param written by which the values were written; {@code SpecificData.get().getSchema(type)} for
   *     those of the class itself
   * @throws IllegalArgumentException when Avro does not trust the class, or cannot map that to its
   *     schema
   */
  public static <T extends SpecificRecord> Codec<T> of(Class<T> type, Schema written) {
    try {
      ClassSecurityValidator.validate(type);
    } catch (SecurityException e) {
      throw new IllegalArgumentException(
          "Avro does not trust class "
              + type.getName()
              + ". Start with -Dorg.apache.avro.SERIALIZABLE_PACKAGES="
              + type.getPackageName()
              + ", which may list several.",
          e);
    }
    Schema wanted = SpecificData.get().getSchema(type);
    SpecificData data = SpecificData.getForClass(type);
    return checked(
        written,
        wanted,
        () -> new SpecificDatumReader<>(written, wanted, data),
        new SpecificDatumWriter<>(written, data));
  }

  private static <T extends IndexedRecord> Codec<T> checked(
      Schema written, Schema wanted, Supplier<DatumReader<T>> readers, DatumWriter<T> writer) {
    SchemaPairCompatibility pair =
        SchemaCompatibility.checkReaderWriterCompatibility(wanted, written);
    if (pair.getType() != SchemaCompatibilityType.COMPATIBLE) {
      throw new IllegalArgumentException(
          "Avro cannot read what schema "
              + written.getFullName()
              + " wrote as "
              + wanted.getFullName()
              + ": "
              + pair.getResult().getIncompatibilities());
    }
    return Codecs.of(
        value -> encode(written, writer, value), bytes -> decode(written, readers.get(), bytes));
  }

  private static <T extends IndexedRecord> Bytes encode(
      Schema schema, DatumWriter<T> writer, T value) {
    if (!schema.equals(value.getSchema())) {
      throw new IllegalArgumentException(
          "The record's schema "
              + value.getSchema()
              + " is not that of the values, "
              + schema
              + ". Write with the codec of the record's own schema.");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    try {
      writer.write(value, encoder);
      encoder.flush();
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "A record cannot be written by schema " + schema.getFullName() + ".", e);
    }
    return Bytes.wrap(out.toByteArray());
  }

  private static <T> T decode(Schema written, DatumReader<T> reader, Bytes bytes) {
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(bytes.toArray(), null);
    try {
      T value = reader.read(null, decoder);
      if (decoder.isEnd()) {
        return value;
      }
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "The value is no " + written.getFullName() + " in Avro.", e);
    }
    throw new IllegalArgumentException(
        "The value is longer than a " + written.getFullName() + " in Avro.");
  }
}
