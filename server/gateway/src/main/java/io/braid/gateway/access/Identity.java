package io.braid.gateway.access;

import io.braid.http.HttpRefusal;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A caller, with its rights and its limits.
 *
 * @param name unique
 * @param needs receives each grant that a request of the identity needs, allowed or not
 */
public record Identity(
    String name, List<Grant> grants, Allowance allowance, Consumer<Grant> needs) {
  private static final Consumer<Grant> UNHEARD = grant -> {};

  /** A caller on the same machine, or one that was let in without a name. */
  public static final Identity LOCAL =
      new Identity("local", List.of(new Grant(Role.ADMIN, "*")), Allowance.USUAL);

  public Identity {
    grants = List.copyOf(grants);
  }

  public Identity(String name, List<Grant> grants, Allowance allowance) {
    this(name, grants, allowance, UNHEARD);
  }

  /** Returns the same identity for one request, with a consumer of the needs of that request. */
  public Identity telling(Consumer<Grant> of) {
    return new Identity(name, grants, allowance, of);
  }

  /** Returns whether the identity may do that with a table, or with {@code store/NAME}. */
  public boolean may(Role role, String name) {
    return grants.stream().anyMatch(grant -> grant.allows(role, name));
  }

  /**
   * Requires the right to read a table, of an identity that otherwise is not to learn that
   * something of it exists.
   *
   * @param missing what is thrown when there is no such thing
   */
  public void requireVisible(String table, Supplier<? extends RuntimeException> missing) {
    if (!may(Role.READ, table)) {
      needs.accept(new Grant(Role.READ, table));
      throw missing.get();
    }
  }

  /**
   * Requires a role on something, whatever it is.
   *
   * @throws HttpRefusal when the identity does not have it
   */
  public void requireAny(Role role) {
    if (grants.stream().noneMatch(grant -> grant.role().includes(role))) {
      throw new HttpRefusal(
          403,
          "forbidden",
          "Identity " + name + " needs the role " + role.word() + " on some table.");
    }
  }

  /**
   * Requires a right.
   *
   * @throws HttpRefusal when the identity does not have it
   */
  public void require(Role role, String name) {
    needs.accept(new Grant(role, name));
    if (!may(role, name)) {
      throw new HttpRefusal(
          403,
          "forbidden",
          "Identity "
              + this.name
              + " needs the role "
              + role.word()
              + " on "
              + name
              + ": ask who keeps the identities for '"
              + new Grant(role, name)
              + "'.");
    }
  }
}
