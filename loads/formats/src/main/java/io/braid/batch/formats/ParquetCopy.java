package io.braid.batch.formats;

import io.braid.batch.input.ContainerFormat.PickedRecords;
import io.braid.batch.input.UnreadableInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;

/**
 * Makes a Parquet file of records of another one. The records pass in the groups of values that
 * store them, so every schema stays unchanged.
 */
final class ParquetCopy {
  private final Path from;
  private final Path to;

  ParquetCopy(Path from, Path to) {
    this.from = from;
    this.to = to;
  }

  void run(List<PickedRecords> parts) throws IOException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new ParquetCodecs())
            .build();
    try (ParquetFileReader reader = ParquetFileReader.open(ParquetFiles.input(from), options)) {
      MessageType schema = reader.getFileMetaData().getSchema();
      try (ParquetWriter<Group> writer = writer(schema, codec(reader.getFooter().getBlocks()))) {
        copy(reader, schema, parts, writer);
      }
    } catch (RuntimeException e) {
      throw new UnreadableInputException("File " + from + " cannot be read again: " + e, e);
    }
  }

  private ParquetWriter<Group> writer(MessageType schema, CompressionCodecName codec)
      throws IOException {
    return ExampleParquetWriter.builder(ParquetFiles.output(to))
        .withType(schema)
        .withConf(new PlainParquetConfiguration())
        .withCodecFactory(new ParquetCodecs())
        .withCompressionCodec(codec)
        .build();
  }

  private static CompressionCodecName codec(List<BlockMetaData> blocks) {
    return blocks.isEmpty()
        ? CompressionCodecName.UNCOMPRESSED
        : blocks.get(0).getColumns().get(0).getCodec();
  }

  /** Goes through the row groups once; groups without picked records are skipped. */
  private static void copy(
      ParquetFileReader reader,
      MessageType schema,
      List<PickedRecords> parts,
      ParquetWriter<Group> writer)
      throws IOException {
    MessageColumnIO columns = new ColumnIOFactory().getColumnIO(schema);
    long first = 0;
    for (BlockMetaData block : reader.getFooter().getBlocks()) {
      long end = first + block.getRowCount();
      long begin = first;
      if (parts.stream().anyMatch(part -> !part.records().subSet(begin, end).isEmpty())) {
        PageReadStore pages = reader.readNextRowGroup();
        RecordReader<Group> records =
            columns.getRecordReader(pages, new GroupRecordConverter(schema));
        for (long at = first; at < end; at++) {
          Group group = records.read();
          long place = at;
          if (parts.stream().anyMatch(part -> part.records().contains(place))) {
            writer.write(group);
          }
        }
      } else {
        reader.skipNextRowGroup();
      }
      first = end;
    }
  }
}
