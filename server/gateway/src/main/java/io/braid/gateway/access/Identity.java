package io.braid.gateway.access;

import io.braid.http.HttpRefusal;
import java.util.List;
import java.util.function.Consumer;

/**
 * Somebody who asks, what they may do, and how much.
 *
 * @param name no two have the same
 * @param needs is told what a request of it needs, be it allowed or not
 */
public record Identity(
    String name, List<Grant> grants, Allowance allowance, Consumer<Grant> needs) {
  private static final Consumer<Grant> UNHEARD = grant -> {};

  /** Whoever is on the same machine, or was let in without a name. */
  public static final Identity LOCAL =
      new Identity("local", List.of(new Grant(Role.ADMIN, "*")), Allowance.USUAL);

  public Identity {
    grants = List.copyOf(grants);
  }

  public Identity(String name, List<Grant> grants, Allowance allowance) {
    this(name, grants, allowance, UNHEARD);
  }

  /** The same for one request, whose needs somebody wants to know. */
  public Identity telling(Consumer<Grant> of) {
    return new Identity(name, grants, allowance, of);
  }

  /** Whether it may do that with a table, or with {@code store/NAME}. */
  public boolean may(Role role, String name) {
    return grants.stream().anyMatch(grant -> grant.allows(role, name));
  }

  /**
   * Refuses what it may not do.
   *
   * @throws HttpRefusal when that is so
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
