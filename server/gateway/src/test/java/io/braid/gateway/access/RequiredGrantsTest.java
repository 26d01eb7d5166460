package io.braid.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the audit log keeps of one request. */
class RequiredGrantsTest {
  @Test
  void aLineOfTheAuditLogStaysShortHoweverManyTablesAreAskedFor() {
    RequiredGrants needs = new RequiredGrants();
    for (int i = 0; i < RequiredGrants.MOST; i++) {
      needs.accept(new Grant(Role.READ, "t" + i));
      needs.accept(new Grant(Role.READ, "t0"));
    }
    assertThat(needs.all()).hasSize(RequiredGrants.MOST).doesNotContain("...");
    needs.accept(new Grant(Role.READ, "one more"));
    needs.accept(new Grant(Role.READ, "another"));
    assertThat(needs.all()).hasSize(RequiredGrants.MOST + 1).endsWith("...");
  }
}
