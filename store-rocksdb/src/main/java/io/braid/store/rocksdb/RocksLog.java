package io.braid.store.rocksdb;

import org.rocksdb.InfoLogLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what RocksDB has to say beside its answers. A log file of its own whose length is bounded
 * begins anew now and then, each time with the options of all column families that were created
 * since the store was opened; RocksDB keeps them in memory for that, some 14 KiB each, until it is
 * closed. So there is no such file.
 */
final class RocksLog extends org.rocksdb.Logger {
  private static final Logger LOG = LoggerFactory.getLogger(RocksLog.class);

  RocksLog() {
    super(InfoLogLevel.WARN_LEVEL);
  }

  @Override
  protected void log(InfoLogLevel level, String message) {
    // What is no header comes back as a failure of a call, too.
    if (level != InfoLogLevel.HEADER_LEVEL) {
      LOG.info("{}", message);
    }
  }
}
