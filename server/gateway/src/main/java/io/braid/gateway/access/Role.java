package io.braid.gateway.access;

import java.util.Locale;

/** What an identity may do with something; each includes those before it. */
public enum Role {
  /** Look at rows, stores and how they stand. */
  READ,
  /** Change rows, tuples and key groups; load files. */
  WRITE,
  /** Create, drop, load, push and whatever else operators do. */
  ADMIN;

  boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
