package io.braid.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The source {@code braid}. Options: {@code database}, {@code table}, {@code mapping} (a file as
 * {@code braid load} takes it, with all fields named); for reads {@code as-of}, {@code present};
 * for writes {@code write}, {@code conflicts}, {@code nulls}, {@code directory}.
 */
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
