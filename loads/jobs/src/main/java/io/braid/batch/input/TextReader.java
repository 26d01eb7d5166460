package io.braid.batch.input;

import io.braid.core.data.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a text file. Empty lines are not records.
 *
 * <p>A quoted field of CSV may hold line ends, so a record may have several lines. Such a record is
 * cut after its first line if its quotes do not close properly, or not within 64 KiB. So a lost
 * quote spoils one record, not all that follow. The extent of a record depends only on the bytes
 * from its beginning on: every reader that begins at a record finds the same records.
 */
final class TextReader implements RecordReader {
  private final LineReader lines;
  private final boolean quoted;
  private final boolean divisible;
  private final long end;
  private final Deque<LineReader.Line> ahead = new ArrayDeque<>();
  private long position;
  private long cut = NO_CUT;

  /**
   * @param divisible whether reading may begin anywhere
   */
  TextReader(LineReader lines, RecordFormat format, boolean divisible, long begin, long end) {
    this.lines = lines;
    this.quoted = format == RecordFormat.CSV;
    this.divisible = divisible;
    this.position = begin;
    this.end = end;
  }

  /** Returns where the next record begins, or empty lines before it. */
  @Override
  public long position() {
    return position;
  }

  @Override
  public @Nullable RawRecord next() throws IOException {
    RawRecord record = read();
    cut = divisible && record != null ? record.offset() : NO_CUT;
    return record;
  }

  @Override
  public long cut() {
    return cut;
  }

  private @Nullable RawRecord read() throws IOException {
    while (position < end) {
      LineReader.Line line = line();
      if (line == null) {
        return null;
      }
      position = line.end();
      if (!quoted && line.begin() == 0) {
        line = new LineReader.Line(0, StrictText.withoutMark(line.bytes()), line.end());
      }
      if (!line.bytes().isEmpty()) {
        return quoted && CsvText.quotes(line.bytes(), false) == CsvText.Quotes.OPEN
            ? lines(line)
            : new RawRecord(line.begin(), line.bytes());
      }
    }
    return null;
  }

  /** A record of several lines, or its first one if its quotes are wrong. */
  private RawRecord lines(LineReader.Line first) throws IOException {
    List<LineReader.Line> more = new ArrayList<>();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes(first.bytes().toArray());
    LineReader.Line last = first;
    CsvText.Quotes quotes = CsvText.Quotes.OPEN;
    while (quotes == CsvText.Quotes.OPEN && text.size() <= CsvText.MOST_BYTES) {
      LineReader.Line line = line();
      if (line == null) {
        break;
      }
      text.writeBytes(last.ending().getBytes(StandardCharsets.US_ASCII));
      last = line;
      more.add(line);
      text.writeBytes(line.bytes().toArray());
      quotes = CsvText.quotes(line.bytes(), true);
    }
    if (quotes != CsvText.Quotes.CLOSED) {
      for (int i = more.size() - 1; i >= 0; i--) {
        ahead.addFirst(more.get(i));
      }
      return new RawRecord(first.begin(), first.bytes());
    }
    position = more.get(more.size() - 1).end();
    return new RawRecord(first.begin(), Bytes.wrap(text.toByteArray()));
  }

  private LineReader.@Nullable Line line() throws IOException {
    LineReader.Line line = ahead.poll();
    return line != null ? line : lines.next();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
