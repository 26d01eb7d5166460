package io.braid.gateway.access;

import java.util.Locale;

/**
 * A role on some tables and stores. As text: {@code write:accounts}, {@code read:web.*}, {@code
 * admin:store/people}, {@code admin:*}.
 *
 * @param on the name of a table, {@code store/NAME}, or the beginning of such names and a star
 */
public record Grant(Role role, String on) {
  /**
   * Reads one that was written.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static Grant parse(String text) {
    int colon = text.indexOf(':');
    if (colon > 0 && text.substring(colon + 1).matches("[A-Za-z0-9_./-]*\\*?")) {
      String word = text.substring(0, colon).toUpperCase(Locale.ROOT);
      for (Role role : Role.values()) {
        if (role.name().equals(word) && colon + 1 < text.length()) {
          return new Grant(role, text.substring(colon + 1));
        }
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no grant: write read:, write: or admin: and a table, store/NAME, or *.");
  }

  boolean allows(Role asked, String name) {
    return role.includes(asked)
        && (on.endsWith("*") ? name.startsWith(on.substring(0, on.length() - 1)) : on.equals(name));
  }

  @Override
  public String toString() {
    return role.word() + ":" + on;
  }
}
