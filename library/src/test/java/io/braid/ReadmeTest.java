package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java of the README compiles and does what it says. */
class ReadmeTest {
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "<!-- compiled and run by ReadmeTest -->\\R```java\\R(.*?)```", Pattern.DOTALL);

  @TempDir Path dir;

  @Test
  void theExamplesRun() throws Exception {
    Path data = dir.resolve("data");
    Class<?> examples = compile(examples(Files.readString(Path.of("../README.md"))));

    examples.getMethod("count", Path.class).invoke(null, data);
    examples.getMethod("count", Path.class).invoke(null, data);

    Row home = Row.of("pages", "home");
    try (Braid db = Braid.open(data)) {
      db.ensureTable("pages", "content");
      try (Snapshot now = db.snapshot()) {
        assertThat(now.get(home, Column.of("stats", "visits", Codecs.int64()))).hasValue(2L);
      }
      examples.getMethod("observe", Braid.class).invoke(null, db);
      db.run(
          tx -> {
            tx.set(home, Column.of("content", "text", Codecs.utf8()), "three small words");
            return true;
          });
      assertThat(db.awaitObserversIdle(Duration.ofSeconds(30))).isTrue();
      try (Snapshot now = db.snapshot()) {
        assertThat(now.get(home, Column.of("content", "words", Codecs.int64()))).hasValue(3L);
      }
    }
  }

  private static String examples(String readme) {
    Matcher matcher = EXAMPLE.matcher(readme);
    List<String> blocks = matcher.results().map(r -> r.group(1)).toList();
    assertThat(blocks).hasSize(2);
    return """
        import io.braid.Braid;
        import io.braid.core.data.*;
        import io.braid.observers.Observer;
        import java.nio.file.Path;
        public class Examples {
          public static void count(Path data) throws Exception {
            %s
          }
          public static void observe(Braid db) throws Exception {
            %s
          }
        }
        """
        .formatted(blocks.get(0).replace("Path.of(\"data\")", "data"), blocks.get(1));
  }

  private Class<?> compile(String source) throws IOException, ClassNotFoundException {
    Path file = Files.writeString(dir.resolve("Examples.java"), source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter problems = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                problems,
                null,
                null,
                List.of("-d", dir.toString(), "-cp", System.getProperty("java.class.path")),
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file))
            .call();
    assertThat(compiled).as(problems.toString()).isTrue();
    URLClassLoader loader = new URLClassLoader(new URL[] {dir.toUri().toURL()});
    return loader.loadClass("Examples");
  }
}
