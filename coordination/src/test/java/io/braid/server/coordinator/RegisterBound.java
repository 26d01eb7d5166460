package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.time.TimestampBound;
import io.braid.server.coordination.Register;

/** A bound without a store. */
record RegisterBound(Register register) implements TimestampBound {
  @Override
  public long read() {
    return value(register.read());
  }

  private static long value(Register.Entry entry) {
    return entry.revision() < 0 ? 0 : entry.value().longAt(0);
  }

  @Override
  public boolean raise(long expected, long next) {
    Register.Entry entry = register.read();
    long value = value(entry);
    return value == next
        || (value == expected && register.replace(entry, Bytes.ofLong(next)))
        || read() == next;
  }
}
