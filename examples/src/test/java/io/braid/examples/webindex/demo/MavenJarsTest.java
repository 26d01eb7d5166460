package io.braid.examples.webindex.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.examples.webindex.demo.MavenJars.FetchException;
import io.braid.examples.webindex.demo.MavenJars.Jar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With scripts in place of Maven. */
class MavenJarsTest {
  private static final Jar JAR = new Jar("org.example", "lib", "1.0", "javadoc");

  @TempDir Path dir;

  @Test
  void aJarIsFetchedOnce() throws IOException {
    String maven =
        script(
            """
            echo "$@" >> %s
            for option; do case $option in -DoutputDirectory=*) to=${option#*=};; esac; done
            echo content > "$to/lib-1.0-javadoc.jar"
            """
                .formatted(dir.resolve("calls")));
    MavenJars jars = new MavenJars(dir.resolve("corpus"), maven);

    assertThat(jars.has(JAR)).isFalse();
    assertThat(jars.get(JAR)).hasContent("content");
    assertThat(jars.get(JAR)).hasContent("content");

    assertThat(jars.has(JAR)).isTrue();
    assertThat(Files.readAllLines(dir.resolve("calls")))
        .singleElement()
        .asString()
        .contains(":copy -Dartifact=org.example:lib:1.0:jar:javadoc");
    assertOnlyJarsIn(dir.resolve("corpus"));
  }

  @Test
  void aFailureSaysWhatToDoAndLeavesNothing() throws IOException {
    String maven = script("echo '[ERROR] no such artifact'; exit 1");
    MavenJars jars = new MavenJars(dir.resolve("corpus"), maven);

    assertThatThrownBy(() -> jars.get(JAR))
        .isInstanceOf(FetchException.class)
        .hasMessageContainingAll("lib:1.0", "no such artifact", "--first and --second");
    assertOnlyJarsIn(dir.resolve("corpus"));
  }

  @Test
  void aMissingMavenIsAFailureToo() throws IOException {
    MavenJars jars = new MavenJars(dir.resolve("corpus"), dir.resolve("no-mvn").toString());

    assertThatThrownBy(() -> jars.get(JAR))
        .isInstanceOf(FetchException.class)
        .hasMessageContaining("--first and --second");
    assertOnlyJarsIn(dir.resolve("corpus"));
  }

  private static void assertOnlyJarsIn(Path corpus) throws IOException {
    try (Stream<Path> files = Files.list(corpus)) {
      assertThat(files).allMatch(file -> file.toString().endsWith("-javadoc.jar"));
    }
  }

  private String script(String text) throws IOException {
    Path file = Files.writeString(dir.resolve("mvn"), "#!/bin/sh\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file.toString();
  }
}
