package io.braid.batch.formats;

import io.braid.batch.export.ContainerOutput;
import io.braid.batch.input.RecordFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;

/** Writes Avro's container files, compressed by zstd. */
public final class AvroOutput implements ContainerOutput {
  private static final int LEVEL = 3;

  @Override
  public RecordFormat format() {
    return RecordFormat.AVRO;
  }

  @Override
  public Writer create(Path file, List<Field> fields) throws IOException {
    Schema schema = AvroSchemas.of(fields);
    DataFileWriter<GenericRecord> writer = open(file, schema);
    return new Writer() {
      @Override
      public void write(Map<String, Object> record) throws IOException {
        writer.append(AvroSchemas.record(schema, record));
      }

      @Override
      public void close() throws IOException {
        writer.close();
      }
    };
  }

  private static DataFileWriter<GenericRecord> open(Path file, Schema schema) throws IOException {
    DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema));
    writer.setCodec(CodecFactory.zstandardCodec(LEVEL));
    return writer.create(schema, Files.newOutputStream(file));
  }

  @Override
  public void join(Path file, List<Field> fields, List<Path> parts) throws IOException {
    try (DataFileWriter<GenericRecord> writer = open(file, AvroSchemas.of(fields))) {
      for (Path part : parts) {
        try (DataFileReader<GenericRecord> reader =
            new DataFileReader<>(new AvroInput(part), new GenericDatumReader<>())) {
          writer.appendAllFrom(reader, false);
        }
      }
    }
  }
}
