package io.braid.batch.formats;

import io.braid.batch.input.ContainerFormat;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.input.RecordReader;
import io.braid.batch.input.UnreadableInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.avro.AvroReadSupport;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Parquet files. One row group is read at a time; reading may begin at any row group. */
public final class ParquetFormat implements ContainerFormat {
  @Override
  public RecordFormat format() {
    return RecordFormat.PARQUET;
  }

  /** The metadata at the end of a file. */
  private record Footer(List<String> fields, List<Group> groups) {}

  /**
   * A row group.
   *
   * @param first the number of its first record
   * @param at where it begins, in bytes
   */
  private record Group(long first, long at, long bytes, long records) {}

  @Override
  public List<String> fields(Path file) throws IOException {
    return footer(file).fields;
  }

  private static Footer footer(Path file) throws IOException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new ParquetCodecs())
            .build();
    try (ParquetFileReader reader = ParquetFileReader.open(ParquetFiles.input(file), options)) {
      List<Group> groups = new ArrayList<>();
      long first = 0;
      for (BlockMetaData block : reader.getFooter().getBlocks()) {
        groups.add(
            new Group(
                first,
                block.getStartingPos(),
                Math.max(1, block.getCompressedSize()),
                block.getRowCount()));
        first += block.getRowCount();
      }
      List<String> fields =
          reader.getFileMetaData().getSchema().getFields().stream().map(Type::getName).toList();
      return new Footer(fields, groups);
    } catch (IOException | RuntimeException e) {
      throw new UnreadableInputException(
          "File " + file + " is no readable Parquet file: " + e.getMessage(), e);
    }
  }

  @Override
  public RecordReader read(Path file, long from, long to, long at) throws IOException {
    return new Reader(file, footer(file).groups, from, to);
  }

  @Override
  public void copy(Path file, List<PickedRecords> parts, Path to) throws IOException {
    new ParquetCopy(file, to).run(parts);
  }

  private static ParquetReader<GenericRecord> open(Path file, Group group) throws IOException {
    ParquetConfiguration settings = new PlainParquetConfiguration();
    settings.setBoolean(AvroReadSupport.READ_INT96_AS_FIXED, true);
    return AvroParquetReader.<GenericRecord>builder(ParquetFiles.input(file), settings)
        .withDataModel(GenericData.get())
        .disableCompatibility()
        .withCodecFactory(new ParquetCodecs())
        .usePageChecksumVerification()
        .withFileRange(group.at, group.at + group.bytes)
        .build();
  }

  /** Reads one row group after the other. */
  private static final class Reader implements RecordReader {
    private final Path file;
    private final List<Group> groups;
    private final long end;
    private int group;
    private long position;
    private long cut = NO_CUT;
    private @Nullable ParquetReader<GenericRecord> reader;

    Reader(Path file, List<Group> groups, long from, long end) {
      this.file = file;
      this.groups = groups;
      this.position = from;
      this.end = end;
      while (group < groups.size() && groups.get(group).first < from) {
        group++;
      }
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public long cut() {
      return cut;
    }

    @Override
    public @Nullable RawRecord next() throws IOException {
      cut = NO_CUT;
      if (position >= end || group >= groups.size()) {
        return null;
      }
      try {
        return read();
      } catch (IOException | RuntimeException e) {
        throw new UnreadableInputException(
            "Record " + position + " of " + file + " cannot be read: " + e.getMessage(), e);
      }
    }

    private @Nullable RawRecord read() throws IOException {
      Group at = groups.get(group);
      ParquetReader<GenericRecord> from = reader;
      if (from == null) {
        from = ParquetFormat.open(file, at);
        reader = from;
        cut = at.at;
      }
      GenericRecord record = from.read();
      if (record == null) {
        throw new IOException("Its row group says that it has " + at.records + " records.");
      }
      RawRecord raw = new RawRecord(position++, RecordJson.of(record));
      if (position == at.first + at.records) {
        close();
        group++;
        while (group < groups.size() && groups.get(group).records == 0) {
          group++;
        }
      }
      return raw;
    }

    @Override
    public void close() throws IOException {
      ParquetReader<GenericRecord> open = reader;
      reader = null;
      if (open != null) {
        open.close();
      }
    }
  }
}
