package io.braid.gateway.access;

import java.util.Locale;

/** What an identity may do with something; each includes those before it. */
public enum Role {
  READ,
  WRITE,
  ADMIN;

  boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
