package io.braid.serving.client;

import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificRecordBase;

/** A record as Avro generates them. */
public final class AvroScore extends SpecificRecordBase {
  @SuppressWarnings("MemberName") // Avro looks for it.
  public static final Schema SCHEMA$ =
      SchemaBuilder.record("io.braid.serving.client.AvroScore")
          .fields()
          .requiredLong("points")
          .requiredString("name")
          .name("level")
          .type()
          .intType()
          .intDefault(7)
          .endRecord();

  private long points;
  private CharSequence name = "";
  private int level;

  @Override
  public Schema getSchema() {
    return SCHEMA$;
  }

  @Override
  public Object get(int field) {
    return field == 0 ? (Object) points : field == 1 ? name : (Object) level;
  }

  @Override
  public void put(int field, Object value) {
    switch (field) {
      case 0 -> points = (Long) value;
      case 1 -> name = (CharSequence) value;
      default -> level = (Integer) value;
    }
  }
}
