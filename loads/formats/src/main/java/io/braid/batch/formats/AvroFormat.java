package io.braid.batch.formats;

import io.braid.batch.input.ContainerFormat;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.input.RecordReader;
import io.braid.batch.input.UnreadableInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * Avro's container files of records, compressed by any codec whose library is on the class path.
 */
public final class AvroFormat implements ContainerFormat {
  @Override
  public RecordFormat format() {
    return RecordFormat.AVRO;
  }

  @Override
  public List<String> fields(Path file) throws IOException {
    try (DataFileReader<GenericRecord> reader = open(file)) {
      return reader.getSchema().getFields().stream().map(Schema.Field::name).toList();
    }
  }

  @Override
  public RecordReader read(Path file, long from, long to, long at) throws IOException {
    DataFileReader<GenericRecord> reader = open(file);
    try {
      if (at > 0) {
        reader.seek(at);
      }
      return new Reader(file, reader, from, to);
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  @Override
  public void copy(Path file, List<PickedRecords> parts, Path to) throws IOException {
    try (DataFileReader<GenericRecord> reader = open(file);
        DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>())) {
      String codec = reader.getMetaString(DataFileConstants.CODEC);
      writer.setCodec(codec == null ? CodecFactory.nullCodec() : CodecFactory.fromString(codec));
      writer.create(reader.getSchema(), Files.newOutputStream(to, StandardOpenOption.CREATE_NEW));
      for (PickedRecords part : parts) {
        if (part.at() > 0) {
          reader.seek(part.at());
        } else {
          reader.sync(0);
        }
        copy(reader, part, writer);
      }
    } catch (AvroRuntimeException e) {
      throw new UnreadableInputException("File " + file + " cannot be read again: " + e, e);
    }
  }

  private static void copy(
      DataFileReader<GenericRecord> reader,
      PickedRecords part,
      DataFileWriter<GenericRecord> writer)
      throws IOException {
    GenericRecord record = null;
    long last = part.records().isEmpty() ? -1 : part.records().last();
    for (long at = part.from(); at <= last; at++) {
      record = reader.next(record);
      if (part.records().contains(at)) {
        writer.append(record);
      }
    }
  }

  private static DataFileReader<GenericRecord> open(Path file) throws IOException {
    DataFileReader<GenericRecord> reader;
    try {
      reader = new DataFileReader<>(new AvroInput(file), new GenericDatumReader<>());
    } catch (IOException | RuntimeException e) {
      throw new UnreadableInputException(
          "File " + file + " is no readable Avro file: " + e.getMessage(), e);
    }
    if (reader.getSchema().getType() != Schema.Type.RECORD) {
      reader.close();
      throw new UnreadableInputException(
          "File "
              + file
              + " holds no records, but values of the type "
              + reader.getSchema().getType().getName()
              + ".");
    }
    return reader;
  }

  /** Reads blocks; one may begin where the file has a sync marker. */
  private static final class Reader implements RecordReader {
    private final Path file;
    private final long length;
    private final DataFileReader<GenericRecord> reader;
    private final long end;
    private long position;
    private long block = NO_CUT;
    private long cut = NO_CUT;

    Reader(Path file, DataFileReader<GenericRecord> reader, long from, long end)
        throws IOException {
      this.file = file;
      this.length = Files.size(file);
      this.reader = reader;
      this.position = from;
      this.end = end;
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
      if (position >= end) {
        return null;
      }
      try {
        if (!reader.hasNext()) {
          requireEnd();
          return null;
        }
        long begin = reader.previousSync();
        GenericRecord record = reader.next();
        if (begin != block) {
          block = begin;
          cut = begin;
        }
        return new RawRecord(position++, RecordJson.of(record));
      } catch (UnreadableInputException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        Throwable why =
            e instanceof AvroRuntimeException && e.getCause() != null ? e.getCause() : e;
        throw new UnreadableInputException(
            "Record " + position + " of " + file + " cannot be read: " + why, e);
      }
    }

    /** The library takes a file that ends within a block for one that ends before it. */
    private void requireEnd() throws UnreadableInputException {
      if (reader.previousSync() != length) {
        throw new UnreadableInputException(
            "File " + file + " is truncated behind record " + position + ".");
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
