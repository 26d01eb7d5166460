package io.braid.store.hbase;

import io.braid.core.store.StoreException;
import io.braid.store.hbase.wire.Call;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Takes sorted files over: verifies all, merges them into one file for each region where the
 * cluster can reach it, and lets the regions adopt these. A region adopts its file at one instant.
 */
final class Ingestion {
  private final Configuration configuration;
  private final RegionClient regions;
  private final Tables.KnownTable table;
  private final String family;
  private final HBaseOptions options;

  Ingestion(
      Configuration configuration,
      RegionClient regions,
      Tables.KnownTable table,
      String family,
      HBaseOptions options) {
    this.configuration = configuration;
    this.regions = regions;
    this.table = table;
    this.family = family;
    this.options = options;
  }

  void run(List<java.nio.file.Path> files) {
    List<FileSeal> seals = new ArrayList<>();
    for (java.nio.file.Path file : files) {
      FileSeal seal = FileSeal.verify(file);
      if (!seal.table().equals(table.schema().name()) || !seal.family().equals(family)) {
        throw new StoreException(
            "The file "
                + file
                + " is for family "
                + seal.family()
                + " of table "
                + seal.table()
                + ", not for "
                + family
                + " of "
                + table.schema().name()
                + ".");
      }
      seals.add(seal);
    }
    if (seals.stream().allMatch(seal -> seal.cells() == 0)) {
      return;
    }
    raiseClocks(seals.stream().mapToLong(FileSeal::maxVersion).max().orElse(0));
    try {
      load(files);
      for (java.nio.file.Path file : files) {
        Files.deleteIfExists(FileSeal.path(file));
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw Futures.failure("Taking files over into table " + table.schema().name(), e);
    }
  }

  /** The cells are being stored: later draws must lie above them. */
  private void raiseClocks(long version) {
    Set<ServerName> raised = new HashSet<>();
    for (HRegionLocation location : regions.regions(table.name())) {
      if (raised.add(location.getServerName())) {
        Call call = new Call.Advance(table.schema().name(), version, 0, 0);
        Futures.await(
            regions.send(table.name(), location.getRegion().getStartKey(), call),
            options.patience(),
            "Raising the clock of " + location.getServerName());
      }
    }
  }

  private void load(List<java.nio.file.Path> files) throws IOException {
    Path directory =
        new Path(configuration.get("hbase.rootdir"), "braid-staging/" + UUID.randomUUID());
    FileSystem system = directory.getFileSystem(configuration);
    List<RegionInfo> all =
        regions.regions(table.name()).stream().map(HRegionLocation::getRegion).toList();
    try {
      Map<byte[], List<Path>> byFamily = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      byFamily.put(
          family.getBytes(StandardCharsets.UTF_8),
          new FileStaging(configuration, system, directory, all).merge(files));
      BulkLoadHFiles.create(configuration).bulkLoad(table.name(), byFamily);
    } finally {
      system.delete(directory, true);
    }
  }
}
