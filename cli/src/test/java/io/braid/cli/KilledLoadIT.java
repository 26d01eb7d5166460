package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads whose process is killed (SIGKILL) again and again. Faults 42 and 44. */
class KilledLoadIT {
  private static final int RECORDS = 6_000;
  private static final int KILLS = 2;

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"", "--atomic"})
  void aKilledLoadIsGoneOnWithAndItsBooksBalance(String kind) throws Exception {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 0; i < RECORDS; i++) {
      text.append(i % 100 == 50 ? "poison" : i + ",name " + i).append('\n');
    }
    Files.writeString(dir.resolve("in.csv"), text);
    String at = " --data " + dir.resolve("data") + " --jobs " + dir.resolve("jobs");
    CommandRun.of("table create people info --data " + dir.resolve("data"));
    String load =
        "load people "
            + dir.resolve("in.csv")
            + " --key id --family info --job j --task-size 10000 --throttle 4000/s "
            + kind
            + at;
    Random random = new Random(5);
    runAndKill(load.strip().replaceAll(" +", " "), random);
    if (!kind.isEmpty()) {
      assertThat(CommandRun.of("scan people --data " + dir.resolve("data")).out()).isEmpty();
    }
    for (int i = 1; i < KILLS; i++) {
      runAndKill("job resume j" + at, random);
    }
    CommandRun.of("job resume j" + at);
    CommandRun resumed = CommandRun.of("job show j --jobs " + dir.resolve("jobs"));
    String books = "read 6,000 = written 5,940 + kept 0 + duplicates 0 + rejected 60 + left 0";
    assertThat(resumed.out()).contains(books);
    if (!kind.isEmpty()) {
      assertThat(CommandRun.of("scan people --data " + dir.resolve("data")).out()).isEmpty();
      assertThat(CommandRun.of("job commit j" + at).code()).isEqualTo(ExitCode.DONE);
    }
    CommandRun validated =
        CommandRun.of(
            "validate people "
                + dir.resolve("in.csv")
                + " --key id --family info --data "
                + dir.resolve("data"));
    assertThat(validated.out()).contains("5,940 equal, 0 different, 0 missing", "0 rows without");
  }

  private void runAndKill(String line, Random random) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add("io.braid.cli.Main");
    command.addAll(List.of(line.split(" ")));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    int attempt = 1;
    while (Files.exists(dir.resolve("jobs/j/round-0/attempt-" + attempt))) {
      attempt++;
    }
    Path begun = dir.resolve("jobs/j/round-0/attempt-" + attempt);
    while (process.isAlive() && !Files.exists(begun)) {
      process.waitFor(20, TimeUnit.MILLISECONDS);
    }
    // May be too late: then the load is done, and what follows finds that.
    process.waitFor(100 + random.nextInt(500), TimeUnit.MILLISECONDS);
    process.destroyForcibly().waitFor();
  }
}
