package io.braid.groups.node;

import io.braid.groups.GroupException;
import java.util.Collection;
import java.util.Locale;
import java.util.function.BiPredicate;
import org.apiguardian.api.API;

/** The permissions of visitors at a group node, by their certificates. */
@API(status = API.Status.EXPERIMENTAL)
public interface Roles {
  /** Every admitted visitor may do everything. */
  Roles NONE = subject -> Visitor.ALL;

  /** All tables, and operations that concern no table. */
  String EVERYTHING = "*";

  /**
   * Identifies a visitor.
   *
   * @param subject the name in its certificate, as RFC 2253 writes it
   * @throws GroupException when the subject is not known
   */
  Visitor of(String subject);

  /** The permissions of a visitor on a table; each includes those before it. */
  enum Role {
    /** Read members and see groups. */
    READ,
    /** Create, use and delete groups. */
    WRITE,
    /** Be a group node, and decide which node leads a group. */
    ADMIN
  }

  /**
   * A client or node that was let in.
   *
   * @param rights whether it has a role on a table, or on {@link #EVERYTHING}
   */
  record Visitor(String name, BiPredicate<Role, String> rights) {
    /** A visitor that may do everything. */
    public static final Visitor ALL = new Visitor("local", (role, on) -> true);

    boolean isUnlimited() {
      return this == ALL;
    }

    boolean may(Role role, String on) {
      return rights.test(role, on);
    }

    /**
     * Refuses operations that the visitor may not do.
     *
     * @throws GroupException when the visitor lacks the role
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
