package io.braid.batch.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecordSortTest {
  @Test
  void sortsAsTheOrderOfRecordsSays() {
    SplittableRandom random = new SplittableRandom(62);
    for (int round = 0; round < 500; round++) {
      byte[] prefix = new byte[random.nextInt(4)];
      List<SnapshotRecord> records = new ArrayList<>();
      int count = random.nextInt(60);
      for (int i = 0; i < count; i++) {
        // Few values, the extreme ones among them: many keys are equal or begin with another.
        byte[] rest = new byte[random.nextInt(12)];
        for (int n = 0; n < rest.length; n++) {
          rest[n] = (byte) (random.nextInt(3) * 127);
        }
        Bytes key = Bytes.wrap(prefix).concat(Bytes.wrap(rest));
        records.add(
            new SnapshotRecord(key, random.nextInt(2), random.nextLong(1L << 40), Bytes.EMPTY));
      }
      List<SnapshotRecord> expected = new ArrayList<>(records);
      expected.sort(SnapshotRecord.ORDER);

      RecordSort.sort(records);

      assertThat(records).isEqualTo(expected);
    }
  }
}
