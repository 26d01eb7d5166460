package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.gateway.access.AuditLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
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
      assertThat(node.get("/readyz").status()).isEqualTo(503);
      assertThat(node.get("/readyz").text()).contains("audit log cannot be written");
    }
  }

  @Test
  void unknownCallersFillNoDiskAndLeaveRoomForOthers() throws Exception {
    AtomicLong nanos = new AtomicLong();
    Seams seams =
        new SystemSeams() {
          @Override
          public long nanoTime() {
            return nanos.get();
          }
        };
    Path file = dir.resolve("audit");
    try (AuditLog log = new AuditLog(seams, file)) {
      for (int i = 0; i < 1000; i++) {
        log.add(AuditLog.UNKNOWN, "127.0.0.1", "GET", "/" + "x".repeat(60_000), List.of(), 401);
      }
      log.add("loader", "127.0.0.1", "PUT", "/v1/tables/t", List.of(), 200);
      nanos.addAndGet(2_000_000_000L);
      log.add(AuditLog.UNKNOWN, "127.0.0.1", "GET", "/", List.of(), 401);
    }
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(22);
    assertThat(Files.size(file)).isLessThan(40_000);
    assertThat(lines.get(20)).contains("loader", "\"omitted\":980");
    assertThat(lines.get(21)).doesNotContain("omitted");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void aFileThatWasMovedAwayIsFollowedByANewOne() throws Exception {
    AtomicLong nanos = new AtomicLong();
    Seams seams =
        new SystemSeams() {
          @Override
          public long nanoTime() {
            return nanos.addAndGet(2_000_000_000L);
          }
        };
    Path file = dir.resolve("audit");
    try (AuditLog log = new AuditLog(seams, file)) {
      log.add("a", "127.0.0.1", "PUT", "/1", List.of(), 200);
      Files.move(file, dir.resolve("audit.1"));
      log.add("a", "127.0.0.1", "PUT", "/2", List.of(), 200);
    }
    assertThat(Files.readString(dir.resolve("audit.1"))).contains("/1").doesNotContain("/2");
    assertThat(Files.readString(file)).contains("/2").doesNotContain("/1");
  }
}
