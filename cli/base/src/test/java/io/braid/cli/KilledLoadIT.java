package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads whose process is killed (SIGKILL) again and again. Faults 42 and 44. */
class KilledLoadIT {
  private static final int RECORDS = 6_000;
  private static final int KILLS = 2;

  @TempDir Path dir;

  /** The snapshots and the imports of an algorithm that sorts are cut off too. */
  @ParameterizedTest
  @ValueSource(strings = {"", "--atomic", "--algorithm import-sort --snapshot-size 20000"})
  void aKilledLoadIsGoneOnWithAndItsRecordCountsAddUp(String kind) throws Exception {
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
    String counts = "read 6,000 = written 5,940 + kept 0 + duplicates 0 + rejected 60 + left 0";
    assertThat(resumed.out()).contains(counts);
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

  /** Sorted runs and reduced partitions are cut off: none counts twice, and none is left out. */
  @Test
  void aKilledReductionIsGoneOnWith() throws Exception {
    StringBuilder text = new StringBuilder("id,n\n");
    StringBuilder sums = new StringBuilder("id,n\n");
    for (int i = 0; i < RECORDS; i++) {
      text.append(i % 2000).append(',').append(i).append('\n');
    }
    for (int i = 0; i < 2000; i++) {
      sums.append(i).append(',').append(3 * i + 6000).append('\n');
    }
    Files.writeString(dir.resolve("sums.csv"), sums);
    Files.writeString(dir.resolve("in.csv"), text);
    Files.writeString(
        dir.resolve("map.json"), "{\"key\":\"id\",\"columns\":{\"n\":{\"column\":\"f:n\"}}}");
    String data = " --data " + dir.resolve("data");
    String at = data + " --jobs " + dir.resolve("jobs");
    CommandRun.of("table create t f" + data);
    Random random = new Random(9);
    Path plan = dir.resolve("jobs/j/round-0/reduce/plan.json");
    runAndKill(
        "load t "
            + dir.resolve("in.csv")
            + " --mapping "
            + dir.resolve("map.json")
            + " --job j --task-size 2000 --duplicates reduce --reducer n=sum"
            + at,
        plan,
        random.nextInt(150));
    runAndKill("job resume j" + at, plan, 900 + random.nextInt(400));
    CommandRun.of("job resume j" + at);
    assertThat(CommandRun.of("job show j --jobs " + dir.resolve("jobs")).out())
        .contains("read 6,000 = written 2,000 + kept 0 + duplicates 4,000 + rejected 0 + left 0");
    CommandRun validated =
        CommandRun.of(
            "validate t "
                + dir.resolve("sums.csv")
                + " --mapping "
                + dir.resolve("map.json")
                + data);
    assertThat(validated.out()).contains("2,000 equal, 0 different, 0 missing", "0 rows without");
  }

  private void runAndKill(String line, Random random) throws IOException, InterruptedException {
    int attempt = 1;
    while (Files.exists(dir.resolve("jobs/j/round-0/attempt-" + attempt))) {
      attempt++;
    }
    runAndKill(line, dir.resolve("jobs/j/round-0/attempt-" + attempt), 100 + random.nextInt(500));
  }

  /**
   * Kills a process some time after a file is there; may be too late: then the load is done, and
   * what follows finds that.
   */
  private static void runAndKill(String line, Path begun, int millis)
      throws IOException, InterruptedException {
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
    while (process.isAlive() && !Files.exists(begun)) {
      process.waitFor(20, TimeUnit.MILLISECONDS);
    }
    process.waitFor(millis, TimeUnit.MILLISECONDS);
    process.destroyForcibly().waitFor();
  }
}
