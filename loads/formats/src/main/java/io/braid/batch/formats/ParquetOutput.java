package io.braid.batch.formats;

import io.braid.batch.export.ContainerOutput;
import io.braid.batch.input.RecordFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.avro.AvroSchemaConverter;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Writes Parquet files of row groups of 64 MiB, compressed by zstd. */
public final class ParquetOutput implements ContainerOutput {
  private static final long ROW_GROUP = 64L << 20;

  @Override
  public RecordFormat format() {
    return RecordFormat.PARQUET;
  }

  private static ParquetConfiguration settings() {
    return new PlainParquetConfiguration();
  }

  @Override
  public Writer create(Path file, List<Field> fields) throws IOException {
    Schema schema = AvroSchemas.of(fields);
    ParquetWriter<GenericRecord> writer =
        AvroParquetWriter.<GenericRecord>builder(ParquetFiles.output(file))
            .withSchema(schema)
            .withDataModel(GenericData.get())
            .withConf(settings())
            .withCodecFactory(new ParquetCodecs())
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .withRowGroupSize(ROW_GROUP)
            .build();
    return new Writer() {
      @Override
      public void write(Map<String, Object> record) throws IOException {
        writer.write(AvroSchemas.record(schema, record));
      }

      @Override
      public void close() throws IOException {
        writer.close();
      }
    };
  }

  @Override
  public void join(Path file, List<Field> fields, List<Path> parts) throws IOException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(settings()).withCodecFactory(new ParquetCodecs()).build();
    Schema schema = AvroSchemas.of(fields);
    try (ParquetFileWriter writer =
        new ParquetFileWriter(
            ParquetFiles.output(file),
            new AvroSchemaConverter(settings()).convert(schema),
            ParquetFileWriter.Mode.CREATE,
            ROW_GROUP,
            ParquetWriter.MAX_PADDING_SIZE_DEFAULT)) {
      writer.start();
      for (Path part : parts) {
        try (ParquetFileReader reader = ParquetFileReader.open(ParquetFiles.input(part), options)) {
          reader.appendTo(writer);
        }
      }
      writer.end(Map.of());
    }
  }
}
