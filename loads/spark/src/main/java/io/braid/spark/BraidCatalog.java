package io.braid.spark;

import io.braid.batch.mapping.FieldType;
import io.braid.batch.mapping.Mapping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apiguardian.api.API;

/**
 * The tables of a database for which there is a mapping. Settings: {@code database}, {@code
 * mappings}, a directory of files {@code TABLE.json}, and options for all tables.
 *
 * <pre>
 * spark.sql.catalog.braid            io.braid.spark.BraidCatalog
 * spark.sql.catalog.braid.database   data
 * spark.sql.catalog.braid.mappings   mappings
 * </pre>
 */
@API(status = API.Status.EXPERIMENTAL)
public final class BraidCatalog implements StagingTableCatalog {
  private static final String MAPPINGS = "mappings";
  private static final String SUFFIX = ".json";
  private static final long MICROS = 1_000_000;

  private String name = "";
  private String database = "";
  private Path mappings = Path.of("");
  private CaseInsensitiveStringMap options = CaseInsensitiveStringMap.empty();

  @Override
  public void initialize(String given, CaseInsensitiveStringMap settings) {
    name = given;
    options = settings;
    database = required(settings, TableSettings.DATABASE);
    mappings = Path.of(required(settings, MAPPINGS));
  }

  private String required(CaseInsensitiveStringMap settings, String option) {
    String value = settings.get(option);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(
          "The catalog needs the setting spark.sql.catalog." + name + "." + option + ".");
    }
    return value;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    if (namespace.length > 0) {
      throw new NoSuchNamespaceException(namespace);
    }
    if (!Files.isDirectory(mappings)) {
      return new Identifier[0];
    }
    try (Stream<Path> files = Files.list(mappings)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(file -> file.endsWith(SUFFIX))
          .map(file -> file.substring(0, file.length() - SUFFIX.length()))
          .filter(table -> Databases.get(database).store().table(table).isPresent())
          .sorted()
          .map(table -> Identifier.of(new String[0], table))
          .toArray(Identifier[]::new);
    } catch (IOException e) {
      throw new UncheckedIOException("The mappings in " + mappings + " cannot be listed.", e);
    }
  }

  private Path file(Identifier table) {
    return mappings.resolve(table.name() + SUFFIX);
  }

  private TableSettings settings(Identifier table) throws NoSuchTableException {
    if (table.namespace().length > 0
        || !table.name().matches("[A-Za-z0-9_.-]+")
        || !Files.exists(file(table))
        || Databases.get(database).store().table(table.name()).isEmpty()) {
      throw new NoSuchTableException(table);
    }
    try {
      return new TableSettings(database, table.name(), Mapping.read(file(table)).toJson(), Map.of())
          .with(options);
    } catch (IOException e) {
      throw new UncheckedIOException("The mapping " + file(table) + " cannot be read.", e);
    }
  }

  @Override
  public Table loadTable(Identifier table) throws NoSuchTableException {
    return new BraidTable(settings(table));
  }

  /** {@code VERSION AS OF} a timestamp or the name of a pin. */
  @Override
  public Table loadTable(Identifier table, String version) throws NoSuchTableException {
    return new BraidTable(settings(table).with(Map.of(TableSettings.AS_OF, version)));
  }

  /** {@code TIMESTAMP AS OF} a time. */
  @Override
  public Table loadTable(Identifier table, long micros) throws NoSuchTableException {
    Instant time =
        Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000);
    return loadTable(table, time.toString());
  }

  /**
   * Makes a table and its mapping. Properties: {@code key}, its fields with commas between (the
   * first column, if it is not set); {@code separator}; {@code family} of all other columns (f).
   *
   * @throws IllegalArgumentException also when the table exists without a mapping: Spark would take
   *     it for new, and drop it if the query that fills it fails
   */
  @Override
  public Table createTable(Identifier table, TableInfo info)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    return new BraidTable(create(table, info));
  }

  private TableSettings create(Identifier table, TableInfo info)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    if (table.namespace().length > 0) {
      throw new NoSuchNamespaceException(table.namespace());
    }
    if (info.partitions().length > 0) {
      throw new UnsupportedOperationException("Tables are cut by their keys alone.");
    }
    boolean isThere = Databases.get(database).store().table(table.name()).isPresent();
    if (isThere && Files.exists(file(table))) {
      throw new TableAlreadyExistsException(table);
    }
    if (Files.exists(file(table))) {
      throw new IllegalArgumentException(
          "There is a mapping "
              + file(table)
              + ", but no table "
              + table.name()
              + ": remove the file, or create the table with 'braid table create'.");
    }
    if (isThere) {
      throw new IllegalArgumentException(
          "The database has a table "
              + table.name()
              + " already: write a mapping for it to "
              + file(table)
              + ", or choose another name.");
    }
    Mapping mapping = mapping(info.columns(), info.properties());
    TableSettings settings =
        new TableSettings(database, table.name(), mapping.toJson(), Map.of()).with(options);
    Databases.get(database)
        .ensureTable(table.name(), settings.shape().families().toArray(String[]::new));
    try {
      Files.createDirectories(mappings);
      Files.writeString(file(table), settings.mapping());
    } catch (IOException e) {
      throw new UncheckedIOException("The mapping " + file(table) + " cannot be written.", e);
    }
    return settings;
  }

  /** {@code CREATE TABLE AS SELECT}: the table goes again when the query fails. */
  @Override
  public StagedTable stageCreate(Identifier table, TableInfo info)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    return new NewTable(create(table, info), () -> dropTable(table));
  }

  /** Refused, always: without the staging of this catalog Spark would begin with dropping it. */
  @Override
  public StagedTable stageReplace(Identifier table, TableInfo info) throws NoSuchTableException {
    if (!tableExists(table)) {
      throw new NoSuchTableException(table);
    }
    throw new UnsupportedOperationException(
        "Table "
            + table.name()
            + " cannot be replaced in one step: drop it and create it, or write to a new one.");
  }

  @Override
  public StagedTable stageCreateOrReplace(Identifier table, TableInfo info)
      throws NoSuchNamespaceException {
    try {
      return tableExists(table) ? stageReplace(table, info) : stageCreate(table, info);
    } catch (NoSuchTableException | TableAlreadyExistsException e) {
      throw new IllegalStateException("Somebody else creates or drops " + table + " now.", e);
    }
  }

  private static Mapping mapping(Column[] columns, Map<String, String> properties) {
    if (columns.length == 0) {
      throw new IllegalArgumentException("A table has at least a key and a column.");
    }
    String named = properties.getOrDefault("key", columns[0].name());
    List<String> key = List.of(named.split(" *, *"));
    List<String> missing = new ArrayList<>(key);
    String family = properties.getOrDefault("family", "f");
    Map<String, Mapping.Target> targets = new LinkedHashMap<>();
    for (Column column : columns) {
      if (!key.contains(column.name())) {
        targets.put(
            column.name(),
            new Mapping.Target(family + ":" + column.name(), type(column.dataType())));
        if (!column.nullable()) {
          throw new IllegalArgumentException(
              "Column "
                  + column.name()
                  + " cannot be NOT NULL: rows need no column but their key.");
        }
      } else if (column.dataType().equals(DataTypes.StringType)) {
        missing.remove(column.name());
      } else {
        throw new IllegalArgumentException(
            "Column " + column.name() + " is part of the key, and has to be a STRING.");
      }
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("There are no columns " + missing + " for the key.");
    }
    return new Mapping(key, properties.getOrDefault("separator", "/"), targets, null);
  }

  private static FieldType type(DataType type) {
    for (FieldType each : FieldType.values()) {
      if (new TableShape.Field("", each, null, 0).spark().equals(type)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "There is no column of type "
            + type.sql()
            + ": use STRING, BIGINT, DOUBLE, BOOLEAN or BINARY.");
  }

  @Override
  public Table alterTable(Identifier table, TableChange... changes) {
    throw new UnsupportedOperationException(
        "Change the mapping " + file(table) + " instead: rows need not be changed for it.");
  }

  /** Removes the table with all its rows, and its mapping. */
  @Override
  public boolean dropTable(Identifier table) {
    if (!tableExists(table)) {
      return false;
    }
    Databases.get(database).dropTable(table.name());
    try {
      Files.delete(file(table));
    } catch (IOException e) {
      throw new UncheckedIOException("The mapping " + file(table) + " cannot be removed.", e);
    }
    return true;
  }

  @Override
  public void renameTable(Identifier from, Identifier to) {
    throw new UnsupportedOperationException("Tables cannot be renamed: copy the rows.");
  }
}
