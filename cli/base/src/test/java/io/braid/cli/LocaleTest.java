package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bytes that were typed are bytes that are stored, and shown, where no locale is set; or the
 * command is refused. Words come from bash, since the JVM of this test may lose them itself. Fault
 * 74.
 */
@EnabledOnOs(OS.LINUX)
class LocaleTest {
  private static final String U = "\\xc3\\xbc";
  private static final String A = "\\xc3\\xa4";

  @TempDir Path dir;

  private record Run(int code, String out, String err) {}

  /** A release whose jars are the class path of this test. */
  @BeforeEach
  void unpack() throws IOException {
    Files.createDirectories(dir.resolve("release/app"));
    Files.copy(Path.of("../../braid"), dir.resolve("release/braid"));
  }

  /** Runs a line of bash in which {@code $BRAID} is the launcher and {@code $MAIN} is without. */
  private Run bash(String locale, String line) throws Exception {
    Path out = dir.resolve("out");
    Path err = dir.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/bash", "-c", line)
            .directory(dir.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    String home = System.getProperty("java.home");
    String classPath = System.getProperty("java.class.path");
    builder.environment().put("PATH", "/usr/bin:/bin");
    builder.environment().put("JAVA_HOME", home);
    builder.environment().put("BRAID_CLASSPATH", classPath);
    builder.environment().put("BRAID", dir.resolve("release/braid").toString());
    String main = home + "/bin/java -XX:+UseSerialGC -cp " + classPath + " io.braid.cli.Main";
    builder.environment().put("MAIN", main);
    if (!locale.isEmpty()) {
      builder.environment().put("LC_ALL", locale);
    }
    int code = builder.start().waitFor();
    return new Run(code, read(out), read(err));
  }

  /** Without replacing anything. */
  private static String read(Path file) throws IOException {
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(java.nio.ByteBuffer.wrap(Files.readAllBytes(file)))
        .toString();
  }

  @Test
  void differentKeysStayDifferentWithoutALocale() throws Exception {
    Run run =
        bash(
            "",
            "data=$'d"
                + A
                + "ta'; bash $BRAID table create t f --data $data"
                + " && bash $BRAID set t $'"
                + U
                + "1' f:q $'"
                + U
                + "' --data $data"
                + " && bash $BRAID set t $'"
                + A
                + "1' f:q a --data $data"
                + " && bash $BRAID scan t --data $data");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("\u00fc1  f:q = \u00fc\n", "\u00e41  f:q = a\n");
  }

  @Test
  void wordsThatCannotBeReadAreRefused() throws Exception {
    String set = " set t $'" + U + "1' f:q x --data data";

    Run bare = bash("C", "$MAIN" + set);
    assertThat(bare.code()).as(bare.err()).isEqualTo(ExitCode.USAGE);
    assertThat(bare.err()).startsWith("braid: Word 3 of the command").contains("LC_ALL=C.UTF-8");
    assertThat(dir.resolve("data")).doesNotExist();

    Run noText = bash("C.UTF-8", "bash $BRAID set t $'\\xff' f:q x --data data");
    assertThat(noText.code()).as(noText.err()).isEqualTo(ExitCode.USAGE);
    assertThat(noText.err()).startsWith("braid: Word 3 of the command");
  }

  @Test
  void whatIsShownAndReadIsUtf8WithoutTheLauncherToo() throws Exception {
    String statements = "create t f\\nset t " + U + "1 f:q " + A + "\\nget t " + U + "1\\n";

    Run run = bash("POSIX", "printf '" + statements + "' | $MAIN shell --json --data data");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("{\"columns\":{\"f:q\":\"\u00e4\"},\"row\":\"\u00fc1\"}\n");

    Run noText = bash("", "printf 'get t \\xff\\n' | $MAIN shell --data data");
    assertThat(noText.code()).isEqualTo(ExitCode.USAGE);
    assertThat(noText.err()).contains("not UTF-8");
  }

  @Test
  void whatTheJvmMayNotHaveReadIsRefused() {
    Typed.requireRead(new String[] {"bob", "\u00fc1"}, StandardCharsets.UTF_8);
    Typed.requireRead(new String[] {"bob"}, StandardCharsets.US_ASCII);
    for (String wrong : List.of("a\ufffdb", "\ud800")) {
      assertThatThrownBy(() -> Typed.requireRead(new String[] {wrong}, StandardCharsets.UTF_8))
          .isInstanceOf(UsageException.class);
    }
    assertThatThrownBy(
            () -> Typed.requireRead(new String[] {"\u00fc"}, StandardCharsets.ISO_8859_1))
        .hasMessageContaining("Word 1");
  }

  /** Fault 74: results that went nowhere are not called done. */
  @Test
  void resultsThatCannotBeWrittenAreNotDone() throws Exception {
    Run full = bash("C.UTF-8", "bash $BRAID help > /dev/full");
    assertThat(full.code()).as(full.err()).isEqualTo(ExitCode.FAILED);
    assertThat(full.err()).contains("Standard output cannot be written");
    Run closed = bash("C.UTF-8", "bash $BRAID help | head -1; exit ${PIPESTATUS[0]}");
    assertThat(closed.code()).as(closed.err()).isZero();
    assertThat(closed.err()).isEmpty();
  }
}
