package io.braid.store.hbase;

import io.braid.core.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted files into one file for each region, where the cluster can reach it. A region
 * adopts one file at one instant; several of one family it would adopt one after another.
 */
final class FileStaging {
  /** An open file and its current cell. */
  private record Source(HFile.Reader reader, HFileScanner scanner, int order) {
    Cell cell() {
      return scanner.getCell();
    }
  }

  private final Configuration configuration;
  private final FileSystem system;
  private final Path directory;
  private final List<RegionInfo> regions;
  private final List<Path> written = new ArrayList<>();
  private @Nullable StoreFileWriter writer;
  private int region;

  /**
   * @param regions in the order of their keys
   */
  FileStaging(
      Configuration configuration, FileSystem system, Path directory, List<RegionInfo> regions) {
    this.configuration = configuration;
    this.system = system;
    this.directory = directory;
    this.regions = regions;
  }

  List<Path> merge(List<java.nio.file.Path> files) throws IOException {
    Comparator<Source> byCell =
        (one, two) -> CellComparator.getInstance().compare(one.cell(), two.cell());
    PriorityQueue<Source> sources =
        new PriorityQueue<>(byCell.thenComparing(Comparator.comparing(Source::order).reversed()));
    List<HFile.Reader> readers = new ArrayList<>();
    try {
      for (int i = 0; i < files.size(); i++) {
        Path path = new Path(files.get(i).toUri());
        FileSystem local = HFileWriter.local();
        HFile.Reader reader =
            HFile.createReader(local, path, new CacheConfig(configuration), true, configuration);
        readers.add(reader);
        HFileScanner scanner = reader.getScanner(configuration, false, false);
        if (scanner.seekTo()) {
          sources.add(new Source(reader, scanner, i));
        }
      }
      merge(sources);
    } finally {
      for (HFile.Reader reader : readers) {
        reader.close();
      }
      finish();
    }
    return written;
  }

  /** Of equal cells the one of the later file counts. */
  private void merge(PriorityQueue<Source> sources) throws IOException {
    Cell last = null;
    for (Source source = sources.poll(); source != null; source = sources.poll()) {
      Cell cell = KeyValueUtil.copyToNewKeyValue(source.cell());
      if (last == null || CellComparator.getInstance().compare(last, cell) != 0) {
        append(cell);
      }
      last = cell;
      if (source.scanner.next()) {
        sources.add(source);
      }
    }
  }

  private void append(Cell cell) throws IOException {
    byte[] row = CellUtil.cloneRow(cell);
    while (!holds(row)) {
      finish();
      region++;
      if (region == regions.size()) {
        throw new StoreException("No region has the row; the table changed. Try again.");
      }
    }
    StoreFileWriter open = writer;
    if (open == null) {
      Path path = new Path(directory, Integer.toString(region));
      open = HFileWriter.open(configuration, system, path);
      writer = open;
      written.add(path);
    }
    open.append(cell);
  }

  private boolean holds(byte[] row) {
    byte[] end = regions.get(region).getEndKey();
    return end.length == 0 || Arrays.compareUnsigned(row, end) < 0;
  }

  private void finish() throws IOException {
    StoreFileWriter open = writer;
    writer = null;
    if (open != null) {
      HFileWriter.finish(open);
    }
  }
}
