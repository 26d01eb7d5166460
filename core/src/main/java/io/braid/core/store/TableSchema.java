package io.braid.core.store;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** A table and its families, each name once. */
@API(status = API.Status.EXPERIMENTAL)
public record TableSchema(String name, List<FamilySchema> families) {
  public TableSchema {
    families = List.copyOf(families);
    if (families.stream().map(FamilySchema::name).distinct().count() != families.size()) {
      throw new IllegalArgumentException("Table " + name + " names a family twice.");
    }
  }

  /** A family of a table. */
  public record FamilySchema(String name, Kind kind) {}

  /** The cells that a store should expect in a family. */
  public enum Kind {
    /** Ordinary data, many cells. */
    DATA,
    /** Values too large to store beside others; read one by one. */
    LARGE,
    /** Few cells that come and go, looked for on every access: kept in memory as far as can be. */
    SPARSE
  }

  public boolean has(String family) {
    for (FamilySchema each : families) {
      if (each.name().equals(family)) {
        return true;
      }
    }
    return false;
  }

  /** This table with the families of both; equal names must be equal in kind. */
  public TableSchema merge(TableSchema other) {
    Map<String, FamilySchema> all = new LinkedHashMap<>();
    families.forEach(f -> all.put(f.name(), f));
    for (FamilySchema family : other.families) {
      FamilySchema before = all.putIfAbsent(family.name(), family);
      if (before != null && !before.equals(family)) {
        throw new StoreException(
            "Family "
                + family.name()
                + " of table "
                + name
                + " exists as "
                + before.kind()
                + " and cannot become "
                + family.kind()
                + ".");
      }
    }
    return new TableSchema(name, List.copyOf(all.values()));
  }
}
