package io.braid.spark;

import io.braid.Braid;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.rows.Conflicts;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a table.
 *
 * @param database where it is, in the form that {@link io.braid.SharedBraid#of} takes
 * @param mapping how its rows are records, as JSON
 * @param options the other {@link #NAMES}, as they were given
 */
record TableSettings(String database, String table, String mapping, Map<String, String> options)
    implements Serializable {
  static final String DATABASE = "database";
  static final String TABLE = "table";
  static final String MAPPING = "mapping";

  /** The moment that is read: a timestamp, a time, or the name of a pin. */
  static final String AS_OF = "as-of";

  /** A field that every row has: then other fields need not be read only to find rows. */
  static final String PRESENT = "present";

  /** The way in which rows are written: files (the default where the store takes them) or stage. */
  static final String WRITE = "write";

  /** The treatment of cells that others wrote since the job began: newer, load or fail. */
  static final String CONFLICTS = "conflicts";

  /** The effect of writing a null: keep (nothing, the default) or delete. */
  static final String NULLS = "nulls";

  /** The directory for files of writes; all tasks reach it. */
  static final String DIRECTORY = "directory";

  private static final String HBASE = "hbase:";

  static final List<String> NAMES = List.of(AS_OF, PRESENT, WRITE, CONFLICTS, NULLS, DIRECTORY);

  TableSettings {
    options = new java.util.HashMap<>(options);
  }

  /**
   * @throws IllegalArgumentException when something is missing or wrong
   */
  static TableSettings of(Map<String, String> given) {
    Map<String, String> options = new CaseInsensitiveStringMap(given);
    String file = required(options, MAPPING);
    try {
      Mapping mapping = Mapping.read(Path.of(file));
      return new TableSettings(
              required(options, DATABASE), required(options, TABLE), mapping.toJson(), Map.of())
          .with(options);
    } catch (IOException e) {
      throw new IllegalArgumentException("The mapping " + file + " cannot be read: " + e, e);
    }
  }

  private static String required(Map<String, String> options, String name) {
    String value = options.get(name);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException("The source braid needs the option '" + name + "'.");
    }
    return value;
  }

  /**
   * Returns these settings with more options. Unknown options are skipped, since Spark has some of
   * its own.
   *
   * @throws IllegalArgumentException when the value of one is wrong
   */
  TableSettings with(Map<String, String> more) {
    Map<String, String> all = new java.util.HashMap<>(options);
    for (String name : NAMES) {
      String value = more.get(name);
      if (value != null) {
        all.put(name, value);
      }
    }
    TableSettings settings = new TableSettings(database, table, mapping, all);
    settings.conflicts();
    settings.oneOf(WRITE, "auto", List.of("auto", "files", "stage"));
    settings.deletesNulls();
    settings.shape().requirePresent(settings.option(PRESENT));
    return settings;
  }

  @Nullable String option(String name) {
    return options.get(name);
  }

  Braid db() {
    return Databases.get(database);
  }

  TableShape shape() {
    return new TableShape(Mapping.parse(mapping, "of table " + table));
  }

  Conflicts conflicts() {
    String word = oneOf(CONFLICTS, "newer", List.of("newer", "load", "fail"));
    return Conflicts.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Returns whether rows are staged one by one, and not written to files. */
  boolean stages() {
    String word = oneOf(WRITE, "auto", List.of("auto", "files", "stage"));
    boolean files =
        conflicts() != Conflicts.FAIL && db().store().hasVeils() && isDirectoryReached();
    return word.equals("stage") || (word.equals("auto") && !files);
  }

  /** Tasks of a cluster meet in a directory that was named for them. */
  private boolean isDirectoryReached() {
    return !database.startsWith(HBASE) || options.containsKey(DIRECTORY);
  }

  boolean deletesNulls() {
    return oneOf(NULLS, "keep", List.of("keep", "delete")).equals("delete");
  }

  private String oneOf(String name, String otherwise, List<String> words) {
    String word = options.getOrDefault(name, otherwise).toLowerCase(Locale.ROOT);
    if (!words.contains(word)) {
      throw new IllegalArgumentException(
          "The option '" + name + "' is '" + word + "': use one of " + words + ".");
    }
    return word;
  }

  /** Returns the directory for the files of a write. */
  Path directory(String write) {
    String given = options.get(DIRECTORY);
    return Path.of(given == null ? System.getProperty("java.io.tmpdir") : given)
        .toAbsolutePath()
        .resolve("braid-" + write);
  }
}
