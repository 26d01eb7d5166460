package io.braid.groups.node;

import io.braid.groups.GroupException;
import java.util.Collection;
import java.util.Locale;
import java.util.function.BiPredicate;

/** Who may do what at a group node, by the certificates that they show. */
public interface Roles {
  /** Whoever is let in may do everything. */
  Roles NONE = subject -> Visitor.ALL;

  /** All tables, and what concerns no table. */
  String EVERYTHING = "*";

  /**
   * Finds out who comes.
   *
   * @param subject the name in its certificate, as RFC 2253 writes it
   * @throws NodeRefusedException when that is nobody who is known
   */
  Visitor of(String subject);

  /** What somebody may do with a table; each includes those before it. */
  enum Role {
    /** Read members and see groups. */
    READ,
    /** Create, use and delete groups. */
    WRITE,
    /** Be a group node, and say which of them leads a group. */
    ADMIN
  }

  /**
   * Somebody who was let in.
   *
   * @param rights whether it has a role on a table, or on {@link #EVERYTHING}
   */
  record Visitor(String name, BiPredicate<Role, String> rights) {
    /** Who may do everything. */
    public static final Visitor ALL = new Visitor("local", (role, on) -> true);

    boolean isUnlimited() {
      return this == ALL;
    }

    boolean may(Role role, String on) {
      return rights.test(role, on);
    }

    /**
     * Refuses what it may not do.
     *
     * @throws GroupException when that is so
     */
    void require(Role role, Collection<String> tables) {
      for (String table : tables) {
        if (!may(role, table)) {
          String needed = role.name().toLowerCase(Locale.ROOT);
          throw new GroupException(
              "Identity "
                  + name
                  + " needs the role "
                  + needed
                  + " on "
                  + table
                  + ": ask who keeps the identities for '"
                  + needed
                  + ":"
                  + table
                  + "'.",
              null);
        }
      }
    }
  }
}
