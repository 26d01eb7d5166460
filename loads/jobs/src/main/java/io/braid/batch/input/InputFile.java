package io.braid.batch.input;

import io.braid.core.data.Bytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A file of records, as it was when its job was made.
 *
 * @param bytes its length, compressed if it is
 * @param seal a checksum of its length, its beginning and its end: a process that resumes the job,
 *     perhaps on another machine, must find the same file
 * @param modified when it was last written to; while that is the same, so is the file
 * @param content a checksum of all its bytes; 0 if it could not be read to its end, or was not yet
 * @param header the names of the fields; empty for JSON Lines
 * @param begin where its first record may begin: in CSV after the header
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record InputFile(
    String path,
    long bytes,
    long seal,
    long modified,
    long content,
    RecordFormat format,
    Compression compression,
    List<String> header,
    long begin) {
  private static final int SEALED = 1 << 16;

  public InputFile {
    header = List.copyOf(header);
  }

  /**
   * Looks at a file.
   *
   * @throws UnreadableInputException when its header cannot be read, or the file {@linkplain
   *     UnreadableInputException#isMissing() does not exist}
   * @throws IllegalArgumentException when its name does not show a format
   */
  public static InputFile of(Path file) throws IOException {
    Path name = file.getFileName();
    RecordFormat format = RecordFormat.of(name == null ? "" : name.toString());
    Compression compression = Compression.of(file.toString());
    if (!isFile(file)) {
      throw UnreadableInputException.missing("There is no file " + file + ".");
    }
    InputFile bare =
        new InputFile(
            file.toAbsolutePath().normalize().toString(),
            Files.size(file),
            seal(file),
            modified(file),
            0,
            format,
            compression,
            List.of(),
            0);
    if (!format.isText()) {
      return bare.with(ContainerFormat.of(format).fields(file), 0);
    }
    return format == RecordFormat.CSV ? bare.withHeader() : bare;
  }

  /** Returns whether the file exists; throws if the file system refuses to answer. */
  private static boolean isFile(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).isRegularFile();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private InputFile with(List<String> fields, long first) {
    return new InputFile(path, bytes, seal, modified, content, format, compression, fields, first);
  }

  private InputFile withHeader() throws IOException {
    try (LineReader lines = new LineReader(open(0), 0)) {
      LineReader.@Nullable Line first = lines.next();
      if (first == null) {
        throw new UnreadableInputException(
            path + " is empty: its first line has to name the fields.");
      }
      return with(CsvText.fields(StrictText.withoutMark(first.bytes())), first.end());
    } catch (IllegalArgumentException e) {
      throw new UnreadableInputException("The first line of " + path + ": " + e.getMessage());
    }
  }

  /**
   * Refuses a changed file. Compares all bytes only if the file was written to since, or is a copy
   * on another machine.
   *
   * @return this file, in its state on this machine
   * @throws UnreadableInputException when the file is gone or another one
   */
  public InputFile requireUnchanged() throws IOException {
    Path file = FilePlaces.path(path);
    if (!isFile(file)) {
      throw new UnreadableInputException("There is no file " + path + " any more.");
    }
    long now = modified(file);
    if (Files.size(file) != bytes
        || seal(file) != seal
        || now != modified && content != 0 && checksum(file) != content) {
      throw new UnreadableInputException(
          path + " has changed since the job was made: make another job for it.");
    }
    return seen(now, content);
  }

  /** This file, all bytes of which have this checksum. */
  public InputFile of(long checksum) {
    return seen(modified, checksum);
  }

  /** This file, if that is where it is. */
  public InputFile at(String place) {
    return new InputFile(place, bytes, seal, modified, content, format, compression, header, begin);
  }

  private InputFile seen(long when, long checksum) {
    return new InputFile(path, bytes, seal, when, checksum, format, compression, header, begin);
  }

  /**
   * Reads all records.
   *
   * @throws UnreadableInputException when the contents do not match the name of the file
   */
  public RecordReader read() throws IOException {
    return read(begin, Long.MAX_VALUE, 0);
  }

  /**
   * Reads all records, and with them every byte of the file.
   *
   * @throws UnreadableInputException when the contents do not match the name of the file
   */
  public WholeReader readWhole() throws IOException {
    if (!format.isText()) {
      return new WholeReader(read(), () -> checksum(FilePlaces.path(path)));
    }
    CheckedInputStream bytes =
        new CheckedInputStream(
            Channels.newInputStream(Files.newByteChannel(FilePlaces.path(path))), new CRC32C());
    try {
      InputStream in = compression.open(bytes);
      in.skipNBytes(begin);
      return new WholeReader(
          new TextReader(new LineReader(in, begin), format, divisible(), begin, Long.MAX_VALUE),
          () -> checksum(bytes));
    } catch (IOException | RuntimeException e) {
      bytes.close();
      throw e;
    }
  }

  /**
   * Reads the records that begin from one position up to another.
   *
   * @param from where a record begins
   * @param at the same place in bytes, as {@link RecordReader#cut} returned it; in text, equal to
   *     {@code from}
   */
  public RecordReader read(long from, long to, long at) throws IOException {
    if (!format.isText()) {
      return ContainerFormat.of(format).read(FilePlaces.path(path), from, to, at);
    }
    return new TextReader(new LineReader(open(from), from), format, divisible(), from, to);
  }

  /** Returns whether this is text and reading may begin anywhere. */
  public boolean divisible() {
    return format.isText() && compression == Compression.NONE;
  }

  private InputStream open(long from) throws IOException {
    SeekableByteChannel channel = Files.newByteChannel(FilePlaces.path(path));
    try {
      if (divisible()) {
        return Channels.newInputStream(channel.position(from));
      }
      InputStream in = compression.open(Channels.newInputStream(channel));
      in.skipNBytes(from);
      return in;
    } catch (EOFException e) {
      channel.close();
      throw new UnreadableInputException(path + " ends before position " + from + ".", e);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static long modified(Path file) throws IOException {
    return Files.getLastModifiedTime(file).toMillis();
  }

  private static long checksum(Path file) throws IOException {
    try (CheckedInputStream bytes =
        new CheckedInputStream(Channels.newInputStream(Files.newByteChannel(file)), new CRC32C())) {
      return checksum(bytes);
    }
  }

  private static long checksum(CheckedInputStream bytes) throws IOException {
    bytes.transferTo(OutputStream.nullOutputStream());
    return bytes.getChecksum().getValue();
  }

  private static long seal(Path file) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      CRC32C sum = new CRC32C();
      long size = channel.size();
      sum.update(Bytes.ofLong(size).toBuffer());
      for (long from : new long[] {0, Math.max(0, size - SEALED)}) {
        ByteBuffer part = ByteBuffer.allocate(SEALED);
        channel.position(from);
        while (part.hasRemaining() && channel.read(part) >= 0) {
          // reads on
        }
        sum.update(part.flip());
      }
      return sum.getValue();
    }
  }
}
