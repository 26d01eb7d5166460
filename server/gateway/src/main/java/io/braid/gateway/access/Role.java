package io.braid.gateway.access;

import java.util.Locale;

/** The kind of access that an identity has to something. Each role includes the roles before it. */
public enum Role {
  /** Look at rows, stores and their state. */
  READ,
  /** Change rows, tuples and key groups; load files. */
  WRITE,
  /** Create, drop, load, push and all other tasks of operators. */
  ADMIN;

  boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
