package io.braid.store.hbase.wire;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.store.Selection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Selections as one get or scan of HBase, which knows one number of versions for all columns and
 * one range of versions for each family. Surplus cells are trimmed.
 */
public final class Choice {
  private final List<Selection> selections;
  private final Map<String, List<Selection>> families = new LinkedHashMap<>();
  private final int maxVersions;
  private final boolean exact;

  private Choice(List<Selection> selections) {
    this.selections = selections;
    int most = 1;
    for (Selection selection : selections) {
      families.computeIfAbsent(selection.family(), each -> new ArrayList<>(1)).add(selection);
      most = Math.max(most, selection.maxVersions());
    }
    boolean ranges = families.values().stream().allMatch(Choice::oneRange);
    maxVersions = ranges ? most : Integer.MAX_VALUE;
    exact =
        families.values().stream().allMatch(each -> each.size() == 1)
            && selections.stream().allMatch(each -> each.maxVersions() == maxVersions);
  }

  public static Choice of(List<Selection> selections) {
    return new Choice(selections);
  }

  public boolean isEmpty() {
    return selections.isEmpty();
  }

  public void applyTo(Get get) throws IOException {
    get.readVersions(maxVersions);
    families.forEach(
        (family, chosen) -> {
          byte[] name = family.getBytes(StandardCharsets.UTF_8);
          range(get, name, chosen);
          if (whole(chosen)) {
            get.addFamily(name);
          } else {
            qualifiers(chosen).forEach(each -> get.addColumn(name, HBaseNames.key(each)));
          }
        });
  }

  /** All versions of all columns of which some are chosen. */
  public void applyWhole(Get get) {
    get.readAllVersions();
    families.forEach(
        (family, chosen) -> {
          byte[] name = family.getBytes(StandardCharsets.UTF_8);
          if (whole(chosen)) {
            get.addFamily(name);
          } else {
            qualifiers(chosen).forEach(each -> get.addColumn(name, HBaseNames.key(each)));
          }
        });
  }

  public void applyTo(Scan scan) {
    scan.readVersions(maxVersions);
    families.forEach(
        (family, chosen) -> {
          byte[] name = family.getBytes(StandardCharsets.UTF_8);
          range(scan, name, chosen);
          if (whole(chosen)) {
            scan.addFamily(name);
          } else {
            qualifiers(chosen).forEach(each -> scan.addColumn(name, HBaseNames.key(each)));
          }
        });
  }

  private static void range(Query query, byte[] family, List<Selection> chosen) {
    long least = chosen.stream().mapToLong(Selection::minVersion).min().orElse(0);
    long most = chosen.stream().mapToLong(Selection::maxVersion).max().orElse(Long.MAX_VALUE);
    if (least > 0 || most < Long.MAX_VALUE) {
      query.setColumnFamilyTimeRange(family, least, most == Long.MAX_VALUE ? most : most + 1);
    }
  }

  /**
   * Whether all selections of a family take the same versions, so that the newest of all will do.
   */
  private static boolean oneRange(List<Selection> chosen) {
    Selection first = chosen.get(0);
    return chosen.stream()
        .allMatch(
            each ->
                each.minVersion() == first.minVersion() && each.maxVersion() == first.maxVersion());
  }

  private static boolean whole(List<Selection> chosen) {
    return chosen.stream().anyMatch(each -> each.qualifier() == null);
  }

  private static Set<Bytes> qualifiers(List<Selection> chosen) {
    Set<Bytes> qualifiers = new HashSet<>();
    for (Selection selection : chosen) {
      Bytes qualifier = selection.qualifier();
      if (qualifier != null) {
        qualifiers.add(qualifier);
      }
    }
    return qualifiers;
  }

  /** Leaves out what no selection asked for. */
  public List<Cell> trim(List<Cell> cells) {
    if (exact) {
      return cells;
    }
    List<Cell> kept = new ArrayList<>(cells.size());
    Map<Selection, Integer> counts = new HashMap<>();
    Cell before = null;
    for (Cell cell : cells) {
      if (before != null && !before.column().equals(cell.column())) {
        counts.clear();
      }
      before = cell;
      boolean chosen = false;
      for (Selection selection : families.getOrDefault(cell.column().family(), List.of())) {
        if (matches(selection, cell)
            && counts.merge(selection, 1, Integer::sum) <= selection.maxVersions()) {
          chosen = true;
        }
      }
      if (chosen) {
        kept.add(cell);
      }
    }
    return kept;
  }

  private static boolean matches(Selection selection, Cell cell) {
    Bytes qualifier = selection.qualifier();
    return (qualifier == null || qualifier.equals(cell.column().qualifier()))
        && cell.version() >= selection.minVersion()
        && cell.version() <= selection.maxVersion();
  }
}
