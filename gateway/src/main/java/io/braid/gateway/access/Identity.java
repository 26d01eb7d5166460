package io.braid.gateway.access;

import io.braid.http.HttpRefusal;
import java.util.List;

/**
 * Somebody who asks, what they may do, and how much.
 *
 * @param name no two have the same
 */
public record Identity(String name, List<Grant> grants, Allowance allowance) {
  /** Whoever is on the same machine, or was let in without a name. */
  public static final Identity LOCAL =
      new Identity("local", List.of(new Grant(Role.ADMIN, "*")), Allowance.USUAL);

  public Identity {
    grants = List.copyOf(grants);
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
