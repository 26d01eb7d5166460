package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 60, for the audit log: what cannot be noted is not done. */
class AuditTest {
  private static final Path FULL = Path.of("/dev/full");

  @TempDir Path dir;

  @Test
  void nothingIsChangedWhileTheAuditLogCannotBeWritten() throws Exception {
    assumeTrue(Files.exists(FULL), "a device that is always full");
    try (TestNode node = TestNode.start(dir, "server.audit", FULL.toString())) {
      // The first change is the one by which this is seen.
      node.put("/v1/tables/first", "{'families':['f']}");
      TestNode.Answer refused = node.put("/v1/tables/second", "{'families':['f']}");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.error()).isEqualTo("no audit");
      TestNode.Answer tables = node.get("/v1/tables");
      assertThat(tables.status()).isEqualTo(200);
      assertThat(tables.text()).doesNotContain("second");
    }
  }
}
