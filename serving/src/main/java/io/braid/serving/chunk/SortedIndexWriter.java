package io.braid.serving.chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Writes the sorted index; see {@link SortedBlock} for its layout. */
final class SortedIndexWriter {
  private final FileSink sink;
  private final ByteBuffer block =
      ByteBuffer.allocate(SortedBlock.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private int entries;
  private int number;

  SortedIndexWriter(FileSink sink) {
    this.sink = sink;
  }

  void write(TupleList.Reader list) throws IOException {
    try (list) {
      while (list.next()) {
        if (entries == SortedBlock.ENTRIES) {
          end();
        }
        int at = entries++ * SortedBlock.ENTRY;
        block.putLong(at, list.rest()).putInt(at + 8, list.number());
      }
      if (entries > 0) {
        end();
      }
    }
  }

  private void end() throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(block.array(), 0, SortedBlock.CHECKSUM);
    block.putInt(SortedBlock.CHECKSUM, (int) crc.getValue() ^ number);
    sink.add(block.array(), 0, SortedBlock.BYTES);
    Arrays.fill(block.array(), (byte) 0);
    entries = 0;
    number++;
  }
}
