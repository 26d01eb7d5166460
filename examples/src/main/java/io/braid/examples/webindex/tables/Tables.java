package io.braid.examples.webindex.tables;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All tables of the web index. */
public final class Tables {
  private Tables() {}

  /** The tables and their families. */
  public static Map<String, List<String>> families() {
    Map<String, List<String>> tables = new LinkedHashMap<>();
    tables.put(Pages.TABLE, Pages.FAMILIES);
    tables.put(Links.TABLE, Links.FAMILIES);
    tables.put(Clusters.TABLE, Clusters.FAMILIES);
    tables.put(Postings.TABLE, Postings.FAMILIES);
    return tables;
  }
}
