package io.braid.store.rocksdb.engine;

import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.Status;

/**
 * Keeps RocksDB from recovering by itself when it could not write a sorted file because the disk is
 * full: while it does, writes that need room in memory wait, without an end and without an answer.
 * So they fail, and the store says that it is read-only, and opens the data again when there is
 * room (see {@link Health}).
 */
final class NoSelfRecovery extends AbstractEventListener {
  NoSelfRecovery() {
    super(EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN);
  }

  @Override
  public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status error) {
    return false;
  }
}
