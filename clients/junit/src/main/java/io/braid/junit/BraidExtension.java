package io.braid.junit;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Opens a database when a test asks for one, and closes it after the test. Usually by {@link
 * BraidTest}; {@code @ExtendWith(BraidExtension.class)} does the same without tables.
 */
@API(status = API.Status.STABLE)
public final class BraidExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(BraidExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Braid.class;
  }

  @Override
  public Braid resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Opened opened =
        context
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent("database", key -> open(context), Opened.class);
    return Objects.requireNonNull(opened, "opened").db;
  }

  private static Opened open(ExtensionContext context) {
    Class<?> test = context.getRequiredTestClass();
    @Nullable BraidTest wanted =
        AnnotationSupport.findAnnotation(test, BraidTest.class).orElse(null);
    BraidConfig config = BraidConfig.defaults();
    Opened opened;
    if (wanted == null) {
      opened = new Opened(Braid.over(new MemoryStore(), config), null);
    } else {
      for (String setting : wanted.settings()) {
        config = with(config, setting);
      }
      opened = open(wanted.kind(), config);
      for (String table : wanted.tables()) {
        create(opened.db, table);
      }
    }
    return opened;
  }

  private static Opened open(BraidTest.Kind kind, BraidConfig config) {
    if (kind == BraidTest.Kind.MEMORY) {
      return new Opened(Braid.over(new MemoryStore(), config), null);
    }
    try {
      Path directory = Files.createTempDirectory("braid-test");
      return new Opened(Braid.open(directory.resolve("data"), config), directory);
    } catch (IOException e) {
      throw new UncheckedIOException("There is no directory for the database of a test.", e);
    }
  }

  private static BraidConfig with(BraidConfig config, String setting) {
    int equals = setting.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException(
          "'" + setting + "' is no setting: write it as \"store.memory = 64 MiB\".");
    }
    return config.with(setting.substring(0, equals).strip(), setting.substring(equals + 1).strip());
  }

  private static void create(Braid db, String table) {
    int colon = table.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException(
          "'" + table + "' names no table and families: write it as \"people:info,notes\".");
    }
    List<String> families =
        Stream.of(table.substring(colon + 1).split(",")).map(String::strip).toList();
    db.ensureTable(table.substring(0, colon), families.toArray(String[]::new));
  }

  /** A database, closed by JUnit after the test for which it was opened. */
  @SuppressWarnings("deprecation") // the only one that all versions of JUnit 5 know
  private record Opened(Braid db, @Nullable Path directory)
      implements ExtensionContext.Store.CloseableResource, AutoCloseable {
    @Override
    public void close() throws IOException {
      db.close();
      if (directory != null) {
        try (Stream<Path> all = Files.walk(directory)) {
          for (Path path : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
            Files.delete(path);
          }
        }
      }
    }
  }
}
