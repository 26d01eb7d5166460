package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.groups.log.LogBrokenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database whose opening fails after some of it is open. */
class OpeningTest {
  @TempDir Path dir;

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith("braid-"))
        .collect(Collectors.toSet());
  }

  private static void assertLeavesNoThread(
      ThrowingCallable opening, Class<? extends RuntimeException> failure) {
    Set<Thread> before = threads();
    assertThatThrownBy(opening).isInstanceOf(failure);
    assertThat(threads()).isSubsetOf(before);
  }

  @Test
  void leavesNoThreadAndNoLockWhenGroupNodesHaveNoAddress() {
    BraidConfig config = BraidConfig.defaults().with(Setting.GROUP_NODES, "nowhere");
    assertLeavesNoThread(() -> Braid.open(dir, config), IllegalArgumentException.class);
    Braid.open(dir).close();
  }

  @Test
  void leavesNoThreadAndNoLockWhenTheLogOfGroupsIsBroken() throws IOException {
    Braid.open(dir).close();
    Path groups = Files.createDirectories(dir.resolve("groups"));
    Path log = Files.writeString(groups.resolve("lane-0-1.log"), "This is no log.");
    Files.writeString(groups.resolve("lane-0-2.log"), "Nor is this.");
    assertLeavesNoThread(() -> Braid.open(dir), LogBrokenException.class);
    Files.delete(log);
    Files.delete(groups.resolve("lane-0-2.log"));
    Braid.open(dir).close();
  }
}
