package io.braid.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apiguardian.api.API;

/**
 * The source {@code braid}.
 *
 * <pre>{@code
 * Dataset<Row> people =
 *     spark.read().format("braid").option("database", "data").option("table", "people")
 *         .option("mapping", "people.json").load();
 * }</pre>
 *
 * <p>Options:
 *
 * <ul>
 *   <li>{@code database}: where it is, as {@link io.braid.SharedBraid#of SharedBraid.of} takes it;
 *       {@code table}
 *   <li>{@code mapping}: a file as {@code braid load} takes it, with all fields named
 *   <li>of reads {@code as-of}: a timestamp, a time, or the name of a pin; now if it is not given
 *   <li>of reads {@code present}: a field that every row has, so that others need not be read only
 *       to find rows
 *   <li>of writes {@code write}: {@code files}, {@code stage} (row by row), or {@code auto}, which
 *       is the default: files where the store takes them and all tasks reach the directory
 *   <li>of writes {@code conflicts}, of cells that others wrote since the job began: {@code newer}
 *       (they stay, the default), {@code load} or {@code fail}
 *   <li>of writes {@code nulls}: {@code keep} (a null writes nothing, the default) or {@code
 *       delete}
 *   <li>of writes {@code directory}: where files go; all tasks reach it
 * </ul>
 */
@API(status = API.Status.EXPERIMENTAL)
public final class BraidSource implements TableProvider, DataSourceRegister {
  @Override
  public String shortName() {
    return "braid";
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return TableSettings.of(options).shape().schema();
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new BraidTable(TableSettings.of(properties));
  }
}
