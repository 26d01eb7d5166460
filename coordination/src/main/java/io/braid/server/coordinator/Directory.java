package io.braid.server.coordinator;

import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.server.coordination.Register;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Finds the coordinator: in this process, or at the other end of a connection. */
final class Directory implements AutoCloseable {
  private final Register register;
  private final @Nullable Coordinator own;
  private final String token;
  private final Trust trust;
  private @Nullable CoordinatorConnection connection;

  /**
   * @param own null when this process never is the coordinator
   * @param token of this process
   * @param trust decides which coordinator it may ask
   */
  Directory(Register register, @Nullable Coordinator own, String token, Trust trust) {
    this.register = register;
    this.own = own;
    this.token = token;
    this.trust = trust;
  }

  /** The leadership of this process, if it is the leader. */
  @Nullable Leadership leadership() {
    return own == null ? null : own.leadership();
  }

  /**
   * Returns a connection to the coordinator, at the last known place or at the place in the lease.
   */
  synchronized CoordinatorConnection connection() {
    CoordinatorConnection open = connection;
    if (open != null && !open.isClosed()) {
      return open;
    }
    try {
      Register.Entry entry = register.read();
      LeaseRecord record = LeaseRecord.of(entry);
      if (record == null && entry.revision() >= 0) {
        throw new TimestampUnavailableException(
            "The record of the coordinator cannot be read: it is of another release of Braid (run"
                + " the same everywhere), or another program wrote it (then it is replaced after"
                + " cluster.lease).");
      }
      if (record == null || !record.held() || record.holder().equals(token)) {
        throw new TimestampUnavailableException("There is no coordinator at the moment.");
      }
      open = new CoordinatorConnection(record, token, trust, this::leads);
      connection = open;
      return open;
    } catch (IOException | StoreException e) {
      throw new TimestampUnavailableException("The coordinator does not answer: " + e, e);
    }
  }

  /** Returns whether a coordinator that is slow to answer is still the leader. */
  private boolean leads(CoordinatorConnection slow) {
    try {
      Register.Entry entry = register.read();
      LeaseRecord record = LeaseRecord.of(entry);
      return record != null && slow.isTo(record);
    } catch (StoreException e) {
      return true;
    }
  }

  /**
   * Ends the connection if a request cannot be sent on it and the coordinator was replaced: nothing
   * else ends a write to a suspended process. To be called again and again.
   */
  void endIfReplaced() {
    CoordinatorConnection open = last();
    if (open != null && open.isSlowToSend() && !leads(open)) {
      open.close();
    }
  }

  private synchronized @Nullable CoordinatorConnection last() {
    return connection;
  }

  /**
   * Returns the liveness token of the process that leads by the record; null when it has given back
   * the lease.
   */
  @Nullable String holder() {
    LeaseRecord record = LeaseRecord.of(register.read());
    return record == null || !record.held() ? null : record.holder();
  }

  /** Checks whether this process should take over, after a coordinator did not answer. */
  void nudge() {
    if (own != null) {
      own.nudge();
    }
  }

  @Override
  public synchronized void close() {
    if (connection != null) {
      connection.close();
    }
  }
}
