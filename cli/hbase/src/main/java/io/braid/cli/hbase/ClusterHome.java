package io.braid.cli.hbase;

import io.braid.core.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * The directory of a cluster: {@code hbase-site.xml} and {@code zoo.cfg}, the data of HBase and
 * ZooKeeper, and the log and the number of each process.
 */
record ClusterHome(Path directory) {
  static final String ZOOKEEPER = "zookeeper";
  static final String MASTER = "master";
  static final String NAME_NODE = "namenode";
  static final String DATA_NODE = "datanode";

  Path site() {
    return directory.resolve("hbase-site.xml");
  }

  boolean isThere() {
    return Files.exists(site());
  }

  private Path hdfsSite() {
    return directory.resolve("hdfs-site.xml");
  }

  /** Whether HBase keeps its data in an HDFS of the cluster's own; else it does in plain files. */
  boolean onHdfs() {
    return Files.exists(hdfsSite());
  }

  /**
   * Creates the files of a new cluster; leaves an existing cluster as it is.
   *
   * @param hdfs whether a new one keeps its data in HDFS
   */
  void prepare(boolean hdfs) {
    try {
      for (String part : List.of("logs", "run", "lib", "root", "zookeeper", "tmp")) {
        Files.createDirectories(directory.resolve(part));
      }
      if (processes().stream().allMatch(each -> each.find().isEmpty())) {
        copyJars();
      }
      if (!isThere()) {
        ClusterSettings settings =
            new ClusterSettings(directory, freePort(), hdfs ? freePort() : 0);
        Files.writeString(directory.resolve("zoo.cfg"), settings.zooKeeper());
        if (hdfs) {
          // Both nodes look for pages to serve; the Hadoop that HBase brings has none.
          for (String page : List.of("hdfs", "datanode", "static")) {
            Files.createDirectories(directory.resolve("webapps").resolve(page));
          }
          Files.writeString(hdfsSite(), settings.hdfs());
        }
        Files.writeString(site(), settings.site());
      }
    } catch (IOException e) {
      throw new StoreException(
          "Nothing can be written to " + directory + ": " + e.getMessage() + ".", e);
    }
  }

  private void copyJars() throws IOException {
    for (String each : System.getProperty("java.class.path").split(":")) {
      Path jar = Path.of(each);
      if (isOwn(jar)) {
        Path copy = directory.resolve("lib").resolve(jar.getFileName());
        Files.copy(jar, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** Whether a part of the class path is a jar of Braid. */
  static boolean isOwn(Path part) {
    String name = String.valueOf(part.getFileName());
    return name.startsWith("braid-") && name.endsWith(".jar");
  }

  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  Configuration configuration() {
    Configuration configuration = HBaseConfiguration.create();
    configuration.addResource(new org.apache.hadoop.fs.Path(site().toUri()));
    return configuration;
  }

  int zooKeeperPort() {
    return configuration().getInt("hbase.zookeeper.property.clientPort", 0);
  }

  /** Returns the port of the name node, of a cluster on HDFS. */
  int nameNodePort() {
    return URI.create(configuration().get("hbase.rootdir")).getPort();
  }

  /** Whether its HDFS has been laid out. */
  boolean isFormatted() {
    return Files.exists(directory.resolve("names/current/VERSION"));
  }

  ClusterProcess zooKeeper() {
    return process(
        ZOOKEEPER,
        128,
        "org.apache.zookeeper.server.ZooKeeperServerMain",
        directory.resolve("zoo.cfg").toString());
  }

  ClusterProcess nameNode() {
    return process(NAME_NODE, 192, "org.apache.hadoop.hdfs.server.namenode.NameNode");
  }

  /** Writes what an empty file system is; ends by itself. */
  ClusterProcess formatting() {
    return process(
        "format", 192, "org.apache.hadoop.hdfs.server.namenode.NameNode", "-format", "-force");
  }

  ClusterProcess dataNode() {
    return process(DATA_NODE, 192, "org.apache.hadoop.hdfs.server.datanode.DataNode");
  }

  ClusterProcess master() {
    return process(MASTER, 384, "org.apache.hadoop.hbase.master.HMaster", "start");
  }

  /**
   * @param number from 1 on
   */
  ClusterProcess regionServer(int number) {
    return process(
        "rs" + number, 768, "org.apache.hadoop.hbase.regionserver.HRegionServer", "start");
  }

  private ClusterProcess process(String name, int megabytes, String main, String... arguments) {
    return new ClusterProcess(directory, name, megabytes, main, List.of(arguments));
  }

  /** The region servers that were ever started here, in the order of their numbers. */
  List<ClusterProcess> regionServers() {
    int most = 0;
    try (Stream<Path> files = Files.list(directory.resolve("run"))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.matches("rs[0-9]{1,3}")) {
          most = Math.max(most, Integer.parseInt(name.substring(2)));
        }
      }
    } catch (IOException e) {
      throw new StoreException("The directory of the cluster cannot be read.", e);
    }
    List<ClusterProcess> servers = new ArrayList<>();
    for (int number = 1; number <= most; number++) {
      servers.add(regionServer(number));
    }
    return servers;
  }

  /** Returns all processes; those that others need come first. */
  List<ClusterProcess> processes() {
    List<ClusterProcess> all = new ArrayList<>(List.of(zooKeeper()));
    if (onHdfs()) {
      all.addAll(List.of(nameNode(), dataNode()));
    }
    all.add(master());
    all.addAll(regionServers());
    return all;
  }

  /**
   * @throws StoreException when there is none of this name
   */
  ClusterProcess named(String name) {
    return processes().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new StoreException(
                    "The cluster has no process "
                        + name
                        + ". It has: "
                        + String.join(", ", processes().stream().map(ClusterProcess::name).toList())
                        + "."));
  }
}
