package io.braid.store.rocksdb.engine;

import io.braid.core.runtime.OwnedFile;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store accepts writes, and if not, whether it can do so again by itself.
 *
 * <p>A full disk is found out when the log is appended to. Nothing that was acknowledged is lost.
 * Once there is room, the data is opened again from the disk. After any other failure of the log, a
 * failed sync above all, the contents of the disk are unknown. The operating system may have
 * dropped data that it could not write, and may report success the next time. Such a store accepts
 * no writes until its user opens it again.
 */
public final class Health {
  private static final Logger LOG = LoggerFactory.getLogger(Health.class);

  /** Why writes are refused. */
  public record Refusal(String reason, boolean passing) {}

  private final @Nullable StoreDirectory directory;
  private volatile @Nullable Refusal refusal;

  /** For a directory that no other process can open. */
  public Health() {
    this.directory = null;
  }

  /** Of a directory that is this process's own while its owner says so. */
  public Health(StoreDirectory directory) {
    this.directory = directory;
  }

  /** Why writes are refused; null when they are not. */
  public @Nullable Refusal refusal() {
    Refusal taken = taken();
    return taken == null ? refusal : taken;
  }

  /** Why the directory is not this process's own any more; null while it is. */
  public @Nullable Refusal taken() {
    OwnedFile owner = directory == null ? null : directory.owner();
    return owner == null || owner.isOurs() ? null : new Refusal(owner.whyNot(), false);
  }

  public Refusal failed(RocksDBException e) {
    boolean passing = isFull(e);
    return refuse(
        passing,
        passing
            ? "The disk is full: "
                + e.getMessage()
                + ". Make room, "
                + StoreDirectory.mebibytes(
                    directory == null ? StoreDirectory.ROOM : directory.roomToOpen())
                + " MiB at least, as much as the log holds; writes go on by themselves."
            : "The log cannot be written: "
                + e.getMessage()
                + ". Check the disk, then open the store again.");
  }

  /** A write ended in the middle for another reason, as when memory ends. */
  public Refusal failed(Throwable e) {
    LOG.error("A write ended in the middle.", e);
    return refuse(
        false,
        "A write ended in the middle: "
            + e
            + ". Open the store again; if memory ended, with more.");
  }

  private synchronized Refusal refuse(boolean passing, String reason) {
    Refusal before = refusal;
    Refusal now = new Refusal(reason, passing && (before == null || before.passing));
    if (before == null || before.passing != now.passing) {
      LOG.error("The store accepts no writes any more. {}", reason);
    }
    refusal = now;
    return now;
  }

  public synchronized void recovered() {
    LOG.warn("The store accepts writes again.");
    refusal = null;
  }

  static boolean saysFull(String message) {
    return message.contains("No space left on device");
  }

  /** By what it says where there is no status with it: an error that came up in the background. */
  private static boolean isFull(RocksDBException e) {
    Status status = e.getStatus();
    String state = status == null ? null : status.getState();
    String said = state == null ? String.valueOf(e.getMessage()) : state;
    boolean full =
        saysFull(said)
            || (status != null
                && status.getCode() == Status.Code.IOError
                && status.getSubCode() == Status.SubCode.NoSpace);
    return full && said.contains("While appending to file");
  }
}
