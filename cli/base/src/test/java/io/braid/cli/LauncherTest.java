package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.braid.cli.command.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./braid} says where something is missing; it never comes to building anything. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
  private static final List<String> TOOLS =
      List.of(
          "bash", "sed", "find", "dirname", "readlink", "date", "mkdir", "tail", "mktemp", "rm");

  @TempDir Path dir;
  private Path bin;
  private Path checkout;

  private record Run(int code, String text) {}

  @BeforeEach
  void makeACheckoutThatWasNeverBuilt() throws IOException {
    bin = Files.createDirectory(dir.resolve("bin"));
    for (String tool : TOOLS) {
      String place = Files.exists(Path.of("/usr/bin", tool)) ? "/usr/bin/" : "/bin/";
      script("bin/" + tool, "exec " + place + tool + " \"$@\"");
    }
    checkout = Files.createDirectories(dir.resolve("a checkout"));
    Files.createDirectories(checkout.resolve("cli/base"));
    Files.copy(Path.of("../../braid"), checkout.resolve("braid"));
  }

  @Test
  void withoutJavaItSaysWhatToInstall() throws Exception {
    Run run = braid("");

    assertThat(run.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(run.text()).contains("no Java found", "Install a JDK 17 or newer");
  }

  @Test
  void aWrongJavaHomeIsNotPassedOver() throws Exception {
    Run run = braid(dir.resolve("nowhere").toString());

    assertThat(run.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(run.text()).contains("JAVA_HOME is " + dir.resolve("nowhere"));
  }

  @Test
  void anOldJavaIsRefusedByItsVersion() throws Exception {
    script("old/bin/java", "echo 'openjdk version \"1.8.0_292\"' >&2");

    Run run = braid(dir.resolve("old").toString());

    assertThat(run.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(run.text()).contains("Java 1.8.0_292", "too old");
  }

  @Test
  void aRuntimeWithoutCompilerIsRefused() throws Exception {
    script("jre/bin/java", "echo 'openjdk version \"21.0.2\"' >&2");

    Run run = braid(dir.resolve("jre").toString());

    assertThat(run.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(run.text()).contains("is no JDK: javac is missing");
  }

  @Test
  void withoutMavenItSaysWhatToInstall() throws Exception {
    Run run = braid(System.getProperty("java.home"));

    assertThat(run.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(run.text()).contains("no Maven found", "Install Maven 3.8 or newer");
  }

  @Test
  void anOldMavenIsRefusedByItsVersion() throws Exception {
    script("bin/mvn", "echo 'Apache Maven 3.6.3'");

    Run run = braid(System.getProperty("java.home"));

    assertThat(run.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(run.text()).contains("Maven 3.6 at " + bin.resolve("mvn") + " is too old");
  }

  @Test
  void aFailedBuildShowsTheReasonAndLeavesNothingThatLooksBuilt() throws Exception {
    script("bin/mvn", "case \"$*\" in *-v*) echo 'Apache Maven 3.9.1';; *) echo oh; exit 1;; esac");

    Run run = braid(System.getProperty("java.home"));

    assertThat(run.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(run.text()).contains("oh\n", "the build failed", "build.log");
    assertThat(checkout.resolve("cli/base/target/app/.built")).doesNotExist();
  }

  /** Both begin with the same modules, and would write the same files. */
  @Test
  void twoVerbsOfDifferentModulesAreNotBuiltAtOnce() throws Exception {
    for (String tool : List.of("flock", "sleep", "touch")) {
      assumeThat(Path.of("/usr/bin", tool)).exists();
      script("bin/" + tool, "exec /usr/bin/" + tool + " \"$@\"");
    }
    Files.createDirectories(checkout.resolve("lab/campaign"));
    Path building = dir.resolve("building");
    script(
        "bin/mvn",
        "case \"$*\" in *-v*) echo 'Apache Maven 3.9.1'; exit;; esac\n"
            + "[ ! -e B ] || echo two at once\ntouch B; sleep 1; rm B; exit 1"
                .replace("B", building.toString()));
    CompletableFuture<Run> simulate = CompletableFuture.supplyAsync(() -> unchecked("simulate"));
    Run table = unchecked("table", "list");

    assertThat(List.of(table, simulate.join()))
        .extracting(Run::text)
        .allMatch(text -> text.contains("the build failed") && !text.contains("two at once"));
  }

  private Run unchecked(String... words) {
    try {
      return braid(System.getProperty("java.home"), words);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anUnpackedReleaseNeedsARuntimeAndNothingElse() throws Exception {
    Files.delete(checkout.resolve("cli/base"));
    Files.createDirectory(checkout.resolve("app"));
    script(
        "jre/bin/java",
        "[ \"$1\" != -version ] || { echo 'openjdk version \"21.0.2\"' >&2; exit; }; echo \"$@\"");

    Run run = braid(dir.resolve("jre").toString(), "get", "accounts", "bob");

    assertThat(run.code()).as(run.text()).isZero();
    assertThat(run.text())
        .endsWith("-cp " + checkout.resolve("app") + "/* io.braid.cli.Main get accounts bob\n");
    Run bench = braid(dir.resolve("jre").toString(), "bench", "omid");
    assertThat(bench.text()).contains("a release is without 'bench'");
    Run help = braid(dir.resolve("jre").toString(), "help", "simulate");
    assertThat(help.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(help.text()).contains("a release is without 'simulate'");
    Run cluster = braid(dir.resolve("jre").toString(), "dev-cluster", "start");
    assertThat(cluster.text()).contains("this release is without HBase", "braid-hbase-VERSION");

    Files.createFile(checkout.resolve("app/braid-cli-hbase-1.jar"));
    assertThat(braid(dir.resolve("jre").toString(), "dev-cluster", "start").code()).isZero();
  }

  private Run braid(String javaHome, String... words) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/bash", checkout.resolve("braid").toString())
            .redirectErrorStream(true);
    builder.command().addAll(List.of(words));
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    if (!javaHome.isEmpty()) {
      builder.environment().put("JAVA_HOME", javaHome);
    }
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Run(process.exitValue(), text);
  }

  private void script(String name, String body) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, "#!/bin/bash\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
