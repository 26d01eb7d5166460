package io.braid.store.rocksdb.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Status.Code;
import org.rocksdb.Status.SubCode;

/** Faults 60 and 61: which failures of the log pass by themselves. */
class HealthTest {
  private static final RocksDBException FULL =
      failure(SubCode.NoSpace, "While appending to file: 4.log: No space left on device");

  private final Health health = new Health();

  private static RocksDBException failure(SubCode subCode, String text) {
    return new RocksDBException(text, new Status(Code.IOError, subCode, text));
  }

  @Test
  void fullDiskPasses() {
    assertThat(health.failed(FULL).passing()).isTrue();
    health.recovered();
    assertThat(health.refusal()).isNull();
  }

  @Test
  void failedSyncDoesNotPassEvenIfTheDiskIsFull() {
    for (SubCode subCode : new SubCode[] {SubCode.None, SubCode.NoSpace}) {
      Health fresh = new Health();
      Health.Refusal refusal = fresh.failed(failure(subCode, "While fdatasync: 4.log"));
      assertThat(refusal.passing()).isFalse();
      assertThat(refusal.reason()).contains("open the store again");
    }
  }

  @Test
  void whatDoesNotPassIsNotForgottenForWhatDoes() {
    health.failed(failure(SubCode.None, "While fdatasync: 4.log: Input/output error"));
    assertThat(health.failed(FULL).passing()).isFalse();
  }
}
