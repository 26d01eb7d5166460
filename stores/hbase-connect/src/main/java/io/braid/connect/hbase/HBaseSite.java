package io.braid.connect.hbase;

import io.braid.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** Finds the settings of the cluster where HBase's own clients look for them. */
final class HBaseSite {
  private static final String FILE = "hbase-site.xml";

  private HBaseSite() {}

  /**
   * @param where the file, the directory it is in, or {@code auto}
   * @throws ConfigurationException when there is none
   */
  static Configuration of(String where) {
    Configuration site = HBaseConfiguration.create();
    if (where.equals("auto")) {
      if (site.getResource(FILE) == null) {
        addFirst(site);
      }
      return site;
    }
    Path path = Path.of(where);
    Path file = Files.isDirectory(path) ? path.resolve(FILE) : path;
    if (!Files.isReadable(file)) {
      throw new ConfigurationException("There is no file " + file + " that could be read.");
    }
    site.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    return site;
  }

  private static void addFirst(Configuration site) {
    List<Path> places = new ArrayList<>();
    String directory = System.getenv("HBASE_CONF_DIR");
    if (directory != null) {
      places.add(Path.of(directory, FILE));
    }
    places.add(Path.of("/etc/hbase/conf", FILE));
    Path found =
        places.stream()
            .filter(Files::isReadable)
            .findFirst()
            .orElseThrow(
                () ->
                    new ConfigurationException(
                        "No cluster is named: nothing can be read at "
                            + places
                            + ". Name an hbase-site.xml with the setting hbase.site, or start a"
                            + " cluster for trying things out with 'braid dev-cluster start'."));
    site.addResource(new org.apache.hadoop.fs.Path(found.toUri()));
  }
}
