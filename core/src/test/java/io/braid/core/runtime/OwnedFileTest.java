package io.braid.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 62: one owner at a time, also for who looks often. */
class OwnedFileTest {
  @TempDir Path dir;

  /** Another process: says whether it could lock a file as {@link OwnedFile} does. */
  static final class Other {
    private Other() {}

    public static void main(String[] args) throws IOException {
      try (FileChannel file = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
        FileLock lock = file.tryLock(Long.MAX_VALUE - 1, 1, false);
        System.out.print(lock == null ? "owned" : "free");
      }
    }
  }

  private static String asOtherProcess(Path file) throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Other.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Closing a descriptor of a file gives up all locks that the process has on it. */
  @Test
  void lookingWhetherAFileIsOwnedHereKeepsItFromOthers() throws IOException {
    Path file = dir.resolve("lock");
    try (OwnedFile owned = OwnedFile.tryOwn(file)) {
      assertThat(owned).isNotNull();
      assertThat(OwnedFile.tryOwn(file)).isNull();
      assertThat(OwnedFile.tryOwn(dir.resolve("../" + dir.getFileName() + "/lock"))).isNull();
      assertThat(OwnedFile.isOwnedHere(file)).isTrue();
      assertThat(asOtherProcess(file)).isEqualTo("owned");
    }
    assertThat(OwnedFile.isOwnedHere(file)).isFalse();
    assertThat(asOtherProcess(file)).isEqualTo("free");
    try (OwnedFile again = OwnedFile.tryOwn(file)) {
      assertThat(again).isNotNull();
    }
  }
}
