package io.braid.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault 57: a grant allows what it names, and nothing beside it. */
class GrantTest {
  private static boolean allows(String grant, Role asked, String name) {
    return Grant.parse(grant).allows(asked, name);
  }

  @Test
  void eachRoleIncludesThoseBeforeItAndNoOther() {
    for (Role held : Role.values()) {
      for (Role asked : Role.values()) {
        assertThat(allows(held.word() + ":accounts", asked, "accounts"))
            .as("%s for %s", held, asked)
            .isEqualTo(asked.ordinal() <= held.ordinal());
      }
    }
  }

  @Test
  void aNameIsMeantAsAWhole() {
    assertThat(allows("read:web", Role.READ, "web")).isTrue();
    assertThat(allows("read:web", Role.READ, "web.pages")).isFalse();
    assertThat(allows("read:web", Role.READ, "we")).isFalse();
    assertThat(allows("read:store/people", Role.READ, "people")).isFalse();
    assertThat(allows("read:people", Role.READ, "store/people")).isFalse();
  }

  @Test
  void aStarStandsForTheRestOfANameOnly() {
    assertThat(allows("read:web.*", Role.READ, "web.pages")).isTrue();
    assertThat(allows("read:web.*", Role.READ, "web")).isFalse();
    assertThat(allows("read:web.*", Role.READ, "accounts")).isFalse();
    assertThat(allows("read:web.*", Role.WRITE, "web.pages")).isFalse();
    assertThat(allows("admin:store/*", Role.ADMIN, "store/people")).isTrue();
    assertThat(allows("admin:store/*", Role.ADMIN, "accounts")).isFalse();
    assertThat(allows("admin:*", Role.ADMIN, "accounts")).isTrue();
    // What concerns no table in particular needs a grant on everything.
    assertThat(allows("admin:web.*", Role.ADMIN, "*")).isFalse();
    assertThat(allows("admin:*", Role.ADMIN, "*")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "read",
        "read:",
        ":accounts",
        "owner:accounts",
        "read:*accounts",
        "read:a*b",
        "read:**",
        "read:a b",
        "read:a:b",
        "read:a,b",
        "read:a\n",
        "reads:accounts"
      })
  void whatIsNoGrantIsRefused(String text) {
    assertThatThrownBy(() -> Grant.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no grant");
  }

  @Test
  void anIdentityMayDoWhatOneOfItsGrantsAllows() {
    Identity one =
        new Identity(
            "one",
            List.of(Grant.parse("write:accounts"), Grant.parse("read:web.*")),
            Allowance.USUAL);
    assertThat(one.may(Role.WRITE, "accounts")).isTrue();
    assertThat(one.may(Role.READ, "web.pages")).isTrue();
    assertThat(one.may(Role.WRITE, "web.pages")).isFalse();
    assertThat(one.may(Role.ADMIN, "accounts")).isFalse();
    assertThat(new Identity("none", List.of(), Allowance.USUAL).may(Role.READ, "a")).isFalse();
  }
}
