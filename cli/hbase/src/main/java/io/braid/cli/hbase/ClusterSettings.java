package io.braid.cli.hbase;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The configuration of a new cluster: everything on one machine, under one directory.
 *
 * @param nameNodePort the port of the HDFS name node; 0 when HBase keeps its data in plain files
 */
record ClusterSettings(Path directory, int zooKeeperPort, int nameNodePort) {

  String zooKeeper() {
    return String.join(
        "\n",
        "dataDir=" + directory.resolve("zookeeper"),
        "clientPort=" + zooKeeperPort,
        "clientPortAddress=127.0.0.1",
        "tickTime=1000",
        "maxClientCnxns=300",
        "admin.enableServer=false",
        "");
  }

  String site() {
    Map<String, String> site = new LinkedHashMap<>();
    site.put("hbase.cluster.distributed", "true");
    site.put(
        "hbase.rootdir",
        nameNodePort == 0
            ? directory.resolve("root").toUri().toString()
            : "hdfs://127.0.0.1:" + nameNodePort + "/hbase");
    site.put("hbase.tmp.dir", directory.resolve("tmp").toString());
    site.put("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    site.put("hbase.wal.provider", "filesystem");
    site.put("hbase.unsafe.stream.capability.enforce", "false");
    site.put("hbase.zookeeper.quorum", "127.0.0.1");
    site.put("hbase.zookeeper.property.clientPort", String.valueOf(zooKeeperPort));
    site.put("zookeeper.session.timeout", "10000");
    for (String role : new String[] {"hbase.master", "hbase.regionserver"}) {
      site.put(role + ".hostname", "localhost");
      site.put(role + ".ipc.address", "127.0.0.1");
      site.put(role + ".port", "0");
      site.put(role + ".info.port", "-1");
    }
    site.put("hbase.master.wait.on.regionservers.timeout", "500");
    site.put("hbase.regionserver.handler.count", "40");
    // Large clusters collect such work to do more of it at once; here it only makes people wait.
    site.put("hbase.assignment.dispatch.wait.msec", "5");
    site.put("hbase.procedure.remote.dispatcher.delay.msec", "5");
    site.put("hbase.hfile.compaction.discharger.interval", "1000");
    if (nameNodePort != 0) {
      // Also for clients, which write files that are loaded.
      site.put("dfs.replication", "1");
    }
    return xml(site);
  }

  /** Returns the settings of HDFS: a name node, and one data node. */
  String hdfs() {
    Map<String, String> site = new LinkedHashMap<>();
    site.put("fs.defaultFS", "hdfs://127.0.0.1:" + nameNodePort);
    site.put("dfs.namenode.name.dir", directory.resolve("names").toUri().toString());
    site.put("dfs.datanode.data.dir", directory.resolve("blocks").toUri().toString());
    site.put("dfs.replication", "1");
    site.put("dfs.namenode.http-address", "127.0.0.1:0");
    site.put("dfs.datanode.address", "127.0.0.1:0");
    site.put("dfs.datanode.ipc.address", "127.0.0.1:0");
    site.put("dfs.datanode.http.address", "127.0.0.1:0");
    site.put("dfs.datanode.hostname", "127.0.0.1");
    // Whose data node was killed waits this long for the next one to be there.
    site.put("dfs.namenode.safemode.extension", "0");
    site.put("dfs.heartbeat.interval", "1");
    return xml(site);
  }

  private static String xml(Map<String, String> site) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    site.forEach(
        (key, value) ->
            xml.append("  <property><name>")
                .append(key)
                .append("</name><value>")
                .append(value.replace("&", "&amp;").replace("<", "&lt;"))
                .append("</value></property>\n"));
    return xml.append("</configuration>\n").toString();
  }
}
