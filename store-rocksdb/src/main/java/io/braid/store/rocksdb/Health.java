package io.braid.store.rocksdb;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the store accepts writes, and if not, why. */
final class Health {
  private static final Logger LOG = LoggerFactory.getLogger(Health.class);

  private volatile @Nullable String refusal;

  /** Why writes are refused; null when they are not. */
  @Nullable String refusal() {
    return refusal;
  }

  void refuse(String reason) {
    if (refusal == null) {
      LOG.error("The store accepts no writes any more: {}", reason);
    }
    refusal = reason;
  }

  void accept() {
    if (refusal != null) {
      LOG.info("The store accepts writes again.");
    }
    refusal = null;
  }
}
