package io.braid.batch.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.Bench.Troubled.Fate;
import io.braid.batch.JobException;
import io.braid.batch.input.Compression;
import io.braid.batch.snapshot.Algorithm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault 42: a job reads the files that it was made for, or says that it does not. */
class ChangedInputTest {
  private static final int RECORDS = 6000;
  private static final FileTime LATER = FileTime.fromMillis(1_900_000_000_000L);

  @TempDir Path dir;

  private final Bench bench = new Bench();
  private Path input = Path.of("");

  @BeforeEach
  void write() throws IOException {
    input = text("in.csv", 'a');
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Its length and its ends do not tell of the value in the middle. */
  private Path text(String name, char middle) throws IOException {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder("id,v\n");
    for (int i = 0; i < RECORDS; i++) {
      String value = i == RECORDS / 2 ? String.valueOf(middle).repeat(30) : "v".repeat(30);
      text.append(String.format("k%07d,%s", i, value));
      for (int n = 0; n < 4; n++) {
        text.append(String.format("%016x", random.nextLong()));
      }
      text.append('\n');
    }
    Path file = dir.resolve(name);
    try (OutputStream out = Compression.of(name).open(Files.newOutputStream(file))) {
      out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(Files.size(file)).isGreaterThan(1 << 17);
    return file;
  }

  /** Tasks of so many records that they break off when none can be written. */
  private static LoadOptions options() {
    LoadOptions o = Bench.OPTIONS;
    return Bench.options(o.parallel(), 120_000, o.conflicts(), o.duplicates(), o.snapshot());
  }

  private LoadJob job(Path file, LoadOptions options) throws IOException {
    return LoadJob.create(
        bench.context,
        dir.resolve("jobs"),
        "j",
        Bench.TABLE,
        List.of(file),
        Bench.MAPPING,
        options);
  }

  /** A job that was made, and came to nothing for the store was away. */
  private LoadJob broken(Path file) throws IOException {
    LoadJob job = job(file, options());
    bench.store.fate = call -> Fate.REFUSED;
    assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.FAILED);
    bench.store.fate = call -> Fate.PASS;
    return job;
  }

  @ParameterizedTest
  @ValueSource(strings = {"in.csv", "in.csv.gz"})
  void aByteInTheMiddleThatHasChangedIsSeen(String name) throws IOException {
    LoadJob job = broken(text(name, 'a'));
    byte[] bytes = Files.readAllBytes(dir.resolve(name));
    bytes[bytes.length / 2] ^= 1;
    Files.write(dir.resolve(name), bytes);
    Files.setLastModifiedTime(dir.resolve(name), LATER);
    assertThatThrownBy(() -> job.run(JobView.NONE))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("has changed since the job was made");
    assertThat(bench.table()).isEmpty();
  }

  /** As on another machine, whose copy has a time of its own. */
  @Test
  void aCopyOfTheFileWillDo() throws IOException {
    LoadJob job = broken(input);
    text("in.csv", 'a');
    Files.setLastModifiedTime(input, LATER);
    assertThat(job.run(JobView.NONE).state().phase()).isEqualTo(JobState.Phase.DONE);
    assertThat(bench.table()).hasSize(RECORDS);
  }

  /** Tasks that read what was put there meanwhile have not read what was divided. */
  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"STANDARD", "VANILLA_SORT"})
  void aFileThatIsReplacedWhileItIsReadIsSeenAtTheEnd(Algorithm algorithm) throws IOException {
    LoadJob job = job(input, options().by(algorithm));
    AtomicBoolean replaced = new AtomicBoolean();
    JobView replacing =
        progress -> {
          if (progress.phase().equals("load") && replaced.compareAndSet(false, true)) {
            replace();
          }
        };
    assertThatThrownBy(() -> job.run(replacing))
        .hasMessageContaining("has changed since the job was made");
    assertThat(job.directory().state().phase()).isEqualTo(JobState.Phase.FAILED);
    assertThat(bench.table()).hasSize(algorithm == Algorithm.STANDARD ? RECORDS : 0);
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("braid-load-"));
    job.cancel();
  }

  private void replace() {
    try {
      Path other = text("other.csv", 'b');
      Files.setLastModifiedTime(other, LATER);
      Files.move(other, input, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
