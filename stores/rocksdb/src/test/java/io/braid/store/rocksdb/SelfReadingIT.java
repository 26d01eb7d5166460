package io.braid.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.failure.ErrorCode;
import io.braid.core.store.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fault 69: a process that reads the files of its own store, as a copy or a checksum does, has lost
 * all its locks on them.
 */
@Timeout(60)
class SelfReadingIT {
  @TempDir Path directory;

  /** Opens a store, reads all its files, says so, and waits. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] args) throws IOException {
      Path path = Path.of(args[0]);
      RocksStore store = RocksStore.open(path, Fixtures.SMALL);
      store.ensureTable(Fixtures.schema());
      try (Stream<Path> files = Files.walk(path)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.readAllBytes(file);
        }
      }
      System.out.println("read");
      System.in.read();
      Fixtures.put(store, "late", Fixtures.DATA, 1, "x");
      System.out.println("written");
      System.in.read();
    }
  }

  private static void kill(String signal, Process process) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, "" + process.pid()).start().waitFor()).isZero();
  }

  @Test
  void aProcessThatReadsItsOwnStoreKeepsItAndACrashFreesIt() throws Exception {
    Path path = directory.resolve("store");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Reader.class.getName(),
                path.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader says =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(says.readLine()).isEqualTo("read");
      assertLocked(path, process);
      kill("-STOP", process);
      assertLocked(path, process);
      kill("-CONT", process);
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      assertThat(says.readLine()).isEqualTo("written");
      assertLocked(path, process);
      kill("-KILL", process);
      process.waitFor();
      try (RocksStore store = RocksStore.open(path, Fixtures.SMALL)) {
        assertThat(store.tables()).hasSize(1);
      }
    } finally {
      process.destroyForcibly();
    }
  }

  private static void assertLocked(Path path, Process process) {
    assertThatThrownBy(() -> RocksStore.open(path, Fixtures.SMALL).close())
        .isInstanceOfSatisfying(
            StoreException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.LOCKED))
        .hasMessageContaining("locked by pid " + process.pid());
  }

  /** Whoever sees that its store was taken writes nothing more into it, nor removes anything. */
  @Test
  void aStoreThatWasTakenIsLeftAlone() throws IOException {
    Path path = directory.resolve("store");
    RocksStore store = RocksStore.open(path, Fixtures.SMALL);
    try {
      store.ensureTable(Fixtures.schema());
      Fixtures.put(store, "a", Fixtures.DATA, 1, "x");
      Path owner = path.resolve("OWNER");
      Files.writeString(owner, Files.readString(owner).replaceAll("token .*", "token other"));
      List<Path> before = files(path);
      while (true) {
        try {
          assertThat(Objects.requireNonNull(store.tables())).hasSize(1);
        } catch (StoreException e) {
          assertThat(e).hasMessageContaining("was taken by pid");
          break;
        }
      }
      assertThatThrownBy(store::requireOwned)
          .isInstanceOfSatisfying(
              StoreException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.LOCKED));
      store.maintain();
      assertThat(files(path)).isEqualTo(before);
    } finally {
      store.close();
    }
    assertThat(Files.readString(path.resolve("OWNER"))).contains("token other");
  }

  private static List<Path> files(Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      return files.sorted().toList();
    }
  }
}
