package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What can be seen of {@code deploy/} without Docker and without an init system: the steps of the
 * Dockerfile, taken one by one in a directory laid out as the image is, and the unit as systemd
 * reads it.
 */
@EnabledOnOs(OS.LINUX)
class DeployIT {
  private static final Path HOME = Path.of("../..").toAbsolutePath().normalize();
  private static final String PORT = "7800";
  private static final Pattern COPY = Pattern.compile("COPY --from=build (\\S+) (\\S+)");

  @TempDir Path dir;

  private record Run(int code, String text) {}

  private static String dockerfile() throws IOException {
    return Files.readString(HOME.resolve("deploy/Dockerfile"));
  }

  private static String after(String file, String word) {
    return file.lines()
        .filter(line -> line.startsWith(word))
        .reduce((first, last) -> last)
        .map(line -> line.substring(line.indexOf(word) + word.length()).strip())
        .orElseThrow(() -> new AssertionError("There is no " + word + "."));
  }

  private static List<String> words(String array) throws JsonProcessingException {
    return new ArrayList<>(
        new ObjectMapper().readValue(array, new TypeReference<List<String>>() {}));
  }

  private static Run run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Run(process.exitValue(), text);
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static List<String> with(List<String> command, String... more) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(more));
    return all;
  }

  /** As somebody who owns nothing but a home, where that can be done. */
  private static List<String> asAnother(Path home, List<String> command)
      throws IOException, InterruptedException {
    boolean root = "root".equals(System.getProperty("user.name"));
    if (!root || !Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
      return command;
    }
    assertThat(run(List.of("chown", "nobody", home.toString())).code()).isZero();
    List<String> all =
        new ArrayList<>(List.of("/usr/bin/setpriv", "--reuid=nobody", "--clear-groups"));
    all.addAll(command);
    return all;
  }

  @Test
  void theImageCopiesWhatTheBuildMakesAndItsEntryPointServes() throws Exception {
    String file = dockerfile();
    Matcher copy = COPY.matcher(file);
    assertThat(copy.find()).isTrue();
    String workdir = file.lines().filter(line -> line.startsWith("WORKDIR")).findFirst().get();
    String built = copy.group(1).substring(workdir.substring("WORKDIR ".length()).length() + 1);
    Path source = HOME.resolve(built);
    assertThat(source).as("what is copied").isDirectory();
    assertThat(HOME.resolve("braid")).as("what the build runs").isExecutable();
    String user = after(file, "USER");
    String home = after(file, "WORKDIR");
    assertThat(file).contains("useradd --system --home " + home + " --create-home " + user);
    assertThat(after(file, "VOLUME")).isEqualTo(home);

    // The layout of the image, below a directory of ours.
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path app = dir.resolve(copy.group(2).substring(1));
    Files.createDirectories(app);
    try (Stream<Path> jars = Files.list(source)) {
      for (Path each : jars.filter(jar -> jar.toString().endsWith(".jar")).toList()) {
        Files.createLink(app.resolve(each.getFileName()), each);
      }
    }
    Path data = Files.createDirectories(dir.resolve(home.substring(1)));
    List<String> entry = words(after(file, "ENTRYPOINT"));
    entry.replaceAll(word -> word.replace("/opt/braid/app", app.toString()));
    entry.set(0, Path.of(System.getProperty("java.home"), "bin", entry.get(0)).toString());

    Run open = run(with(entry, "--set", "server.listen=0.0.0.0:" + PORT, "--print-config"));
    assertThat(open.code()).as(open.text()).isEqualTo(2);
    assertThat(open.text()).contains("init-security", "--insecure");
    Path security = data.resolve("security");
    Run made = run(asAnother(data, with(entry, "init-security", security.toString())));
    assertThat(made.code()).as(made.text()).isZero();

    String port = Integer.toString(freePort());
    // Only this machine is to reach it here.
    entry.addAll(List.of("--config", "security/braid.conf"));
    entry.addAll(List.of("--set", "server.listen=127.0.0.1:" + port));
    entry.addAll(List.of("--set", "server.grpc=off", "--set", "store.memory=16 MiB"));
    Process server =
        new ProcessBuilder(asAnother(data, entry))
            .directory(data.toFile())
            .redirectErrorStream(true)
            .start();
    try {
      String first = server.inputReader().readLine();
      assertThat(first).contains("Serving braid-data");
      assertThat(data.resolve("braid-data")).isDirectory();
      List<String> health =
          words(
              file.substring(
                  file.indexOf(" CMD [") + 5, file.indexOf("]", file.indexOf(" CMD [")) + 1));
      health.replaceAll(word -> word.replace(PORT, port).replace("/opt/braid/app", app.toString()));
      assertThat(run(health)).isEqualTo(new Run(0, ""));
      server.destroy();
      assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
      assertThat(run(health).code()).isNotZero();
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void whatIsLeftOutOfAnImageIsNoSource() throws IOException {
    assertThat(Files.readAllLines(HOME.resolve(".dockerignore")))
        .contains(".git", "**/target")
        .doesNotContain("braid", "*");
  }

  @Test
  void systemdReadsTheUnitWithoutAWord() throws Exception {
    Path analyze = Path.of("/usr/bin/systemd-analyze");
    assumeTrue(Files.isExecutable(analyze), "There is no systemd here: the unit is not read.");
    String unit = Files.readString(HOME.resolve("deploy/braid.service"));
    assertThat(unit).contains("ExecStart=/opt/braid/braid server --config /etc/braid/braid.conf");
    Path here = dir.resolve("braid.service");
    Files.writeString(here, unit.replace("/opt/braid/braid", HOME.resolve("braid").toString()));
    Run read = run(List.of(analyze.toString(), "verify", "--man=no", here.toString()));
    assertThat(read.text()).isEmpty();
    assertThat(read.code()).isZero();
  }
}
