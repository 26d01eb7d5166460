package io.braid.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

  /** Pages that show jobs look all the time. */
  @Test
  void whoLooksAllTheTimeIsNotTakenForAnOwner() throws Exception {
    Path file = dir.resolve("lock");
    Files.writeString(file, "");
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger looks = new AtomicInteger();
    FutureTask<Boolean> looking =
        new FutureTask<>(
            () -> {
              boolean seen = false;
              while (!stop.get()) {
                seen |= OwnedFile.isOwned(file);
                looks.incrementAndGet();
              }
              return seen;
            });
    new Thread(looking).start();
    try {
      while (looks.get() == 0) {
        Thread.onSpinWait();
      }
      for (int i = 0; i < 50; i++) {
        assertThat(OwnedFile.isOwned(file)).as("nobody owns it").isFalse();
        try (OwnedFile owned = OwnedFile.tryOwn(file)) {
          assertThat(owned).as("only looked at, try %s", i).isNotNull();
          assertThat(OwnedFile.isOwned(file)).isTrue();
        }
      }
    } finally {
      stop.set(true);
    }
    assertThat(looking.get()).as("the owner was seen, too").isTrue();
  }

  /** Fault 69: a free lock proves nothing while the process in the record runs. */
  @Test
  void aRunningOwnerWithoutItsLockKeepsTheFile() throws IOException {
    Path file = dir.resolve("lock");
    OwnerRecord self = OwnerRecord.ofThisProcess("");
    assumeTrue(self.sees(self)); // Linux
    Process other = new ProcessBuilder("sleep", "60").start();
    try {
      OwnerRecord owner = record(file, other.pid(), self.place());
      Files.write(file, owner.toBytes());
      assertThat(OwnedFile.tryOwn(file)).isNull();
      assertThat(OwnedFile.isOwned(file)).isTrue();
      assertThat(OwnedFile.owner(file)).isEqualTo("pid " + other.pid());

      Files.write(file, record(file, other.pid(), self.place()).toBytes());
      other.destroyForcibly().onExit().join();
      assertThat(OwnedFile.isOwned(file)).isFalse();
      StillSeams still = new StillSeams();
      try (OwnedFile owned = OwnedFile.tryOwn(file, OwnerRecord::ofThisProcess, still)) {
        assertThat(owned).isNotNull();
        assertThat(still.slept).as("nobody waits after a crash").isZero();
      }
    } finally {
      other.destroyForcibly();
    }
  }

  private static OwnerRecord record(Path file, long pid, String place) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(file);
    }
    String key = String.valueOf(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String start = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
    return new OwnerRecord(
        pid, start, place, System.getProperty("user.name"), "other", key, "token");
  }

  /**
   * Fault 69: from another container its heartbeat tells that it lives, and only that is waited
   * for.
   */
  @Test
  void anOwnerThatCannotBeSeenKeepsTheFileWhileItBeats() throws IOException {
    Path file = dir.resolve("lock");
    Files.createFile(file);
    Files.write(file, record(file, ProcessHandle.current().pid(), "elsewhere").toBytes());
    StillSeams seams = new StillSeams();
    seams.whenAsleep =
        () -> {
          FileTime last = Files.getLastModifiedTime(file);
          Files.setLastModifiedTime(file, FileTime.fromMillis(last.toMillis() + 500));
        };
    assertThat(OwnedFile.tryOwn(file, OwnerRecord::ofThisProcess, seams)).isNull();
    assertThat(OwnedFile.owner(file)).endsWith("on other");

    seams.whenAsleep = () -> {};
    seams.slept = 0;
    try (OwnedFile owned = OwnedFile.tryOwn(file, OwnerRecord::ofThisProcess, seams)) {
      assertThat(owned).isNotNull();
      assertThat(seams.slept).isLessThan(Duration.ofSeconds(10).toNanos());
    }
  }

  /** Fault 69: two that wait for the same dead owner do not both get its file. */
  @Test
  void whoIsReplacedBeforeItBeginsDoesNotBegin() throws IOException {
    Path file = dir.resolve("lock");
    Files.createFile(file);
    Files.write(file, record(file, ProcessHandle.current().pid(), "elsewhere").toBytes());
    StillSeams seams = new StillSeams();
    seams.whenAsleep =
        () -> {
          if (seams.slept > OwnedFile.WATCH.toNanos()) {
            Files.write(file, record(file, ProcessHandle.current().pid(), "there").toBytes());
          }
        };
    assertThat(OwnedFile.tryOwn(file, OwnerRecord::ofThisProcess, seams)).isNull();
  }

  /** Fault 69: an owner that was held up, and replaced meanwhile, finds out before it writes. */
  @Test
  void aReplacedOwnerStopsForGood() throws IOException {
    Path file = dir.resolve("lock");
    StillSeams seams = new StillSeams();
    AtomicInteger told = new AtomicInteger();
    try (OwnedFile owned = OwnedFile.tryOwn(file, OwnerRecord::ofThisProcess, seams)) {
      Objects.requireNonNull(owned).whenLost(told::incrementAndGet);
      seams.sleep(OwnedFile.LEASE);
      assertThat(owned.isOurs()).isTrue();
      OwnerRecord other = record(file, ProcessHandle.current().pid(), "elsewhere");
      Files.write(file, other.toBytes());
      seams.sleep(OwnedFile.LEASE);
      assertThat(owned.isOurs()).isFalse();
      assertThat(owned.whyNot()).contains("was taken by pid").contains("on other");
      assertThat(owned.isOurs()).isFalse();
      assertThat(told).hasValue(1);
    }
    assertThat(Files.readString(file)).as("the record of the other stays").contains("elsewhere");
  }

  /** Fault 69. */
  @Test
  void anOwnerWhoseFileIsGoneStops() throws IOException {
    Path file = dir.resolve("lock");
    StillSeams seams = new StillSeams();
    try (OwnedFile owned = OwnedFile.tryOwn(file, OwnerRecord::ofThisProcess, seams)) {
      Files.delete(file);
      seams.sleep(OwnedFile.LEASE);
      assertThat(Objects.requireNonNull(owned).isOurs()).isFalse();
      assertThat(owned.whyNot()).contains("was removed");
    }
  }

  /** Fault 69: what an earlier release left, or nobody can read, is nobody's. */
  @Test
  void garbageIsNobodys() throws IOException {
    Path file = dir.resolve("lock");
    for (String text :
        new String[] {"pid 1\n", "", "token\n", "pid x\ntoken 7\n", "\u0000\uffff"}) {
      Files.writeString(file, text);
      try (OwnedFile owned = OwnedFile.tryOwn(file)) {
        assertThat(owned).as(text).isNotNull();
      }
      assertThat(Files.readString(file)).isBlank();
    }
  }

  /** Clocks that stand still but for those who sleep; nothing beats by itself. */
  private static final class StillSeams extends SystemSeams {
    private interface Step {
      void run() throws IOException;
    }

    private long slept;
    private Step whenAsleep = () -> {};

    @Override
    public long nanoTime() {
      return slept;
    }

    @Override
    public void sleep(Duration duration) {
      slept += duration.toNanos();
      try {
        whenAsleep.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Task start(String name, Runnable body) {
      return super.start(name, () -> {});
    }
  }
}
