package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import org.jspecify.annotations.Nullable;

/**
 * A registered observer as this process knows it.
 *
 * @param observer with its code; null when only other processes have it
 * @param paused whether it is not to be run
 */
record Watch(
    Registration registration,
    @Nullable Observer observer,
    boolean paused,
    Column<Bytes> observed,
    Column<Long> acknowledgment,
    ColumnName deadLetter) {

  static Watch of(Registration registration, @Nullable Observer observer, boolean paused) {
    ColumnName acknowledgment = Families.acknowledgment(registration.name(), registration.column());
    return new Watch(
        registration,
        observer,
        paused,
        new Column<>(registration.column(), Codecs.bytes()),
        new Column<>(acknowledgment, Codecs.int64()),
        Families.deadLetter(registration.name(), registration.column()));
  }

  /** Its code; null when only other processes have it. */
  @Nullable ObserverBody body() {
    return observer == null ? null : observer.body();
  }

  /** Whether this process may run it. */
  boolean runsHere() {
    return observer != null && !paused;
  }

  boolean ignoresDeletes() {
    return observer != null && observer.ignoresDeletes();
  }

  boolean ignoresOwnWrites() {
    return observer != null && observer.ignoresOwnWrites();
  }

  String name() {
    return registration.name();
  }

  boolean weak() {
    return registration.weak();
  }
}
