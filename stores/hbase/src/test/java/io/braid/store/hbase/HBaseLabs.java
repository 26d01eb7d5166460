package io.braid.store.hbase;

import io.braid.core.store.CellStore;
import io.braid.core.store.TableSchema;
import io.braid.percolator.LabStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Has Percolator's own suites run over a real HBase: the fate of intents that somebody left, what
 * goes wrong on the way through a commit, garbage, resolution. Fault 1. Faults 8 to 11. Faults 13
 * to 18. Faults 26 to 28. Each message of the protocol may be lost, repeated or held back between
 * the client and the region server.
 */
public final class HBaseLabs implements LabStore {
  private static final AtomicInteger NAMED = new AtomicInteger();

  /** Where the rows of nearly all tests lie; each tablet takes its time to open. */
  private static final Set<String> CUTS = Set.of("d", "h");

  /** More than others have opened by the time a slow test ends; nobody tells when one has ended. */
  private static final int KEPT = 48;

  private static final BlockingQueue<CellStore> OPEN = new ArrayBlockingQueue<>(KEPT);

  /** Creates the tables, all at a time. */
  private static final class Creation {
    private static final AsyncAdmin ADMIN = connect().getAdmin();

    private static AsyncConnection connect() {
      return ConnectionFactory.createAsyncConnection(LocalCluster.configuration()).join();
    }

    private static boolean isCut(TableDescriptor table) {
      return table.getTableName().getQualifierAsString().equals("t");
    }

    static void of(String namespace, List<TableSchema> tables, byte[][] cuts) {
      CompletableFuture.allOf(
              tables.stream()
                  .map(
                      each ->
                          Tables.descriptor(TableName.valueOf(namespace, each.name()), each, false))
                  .map(
                      each -> isCut(each) ? ADMIN.createTable(each, cuts) : ADMIN.createTable(each))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
    }
  }

  @Override
  public CellStore open(List<TableSchema> tables, String... cuts) {
    String namespace = "lab" + NAMED.incrementAndGet();
    HBaseOptions options = HBaseOptions.DEFAULT.withNamespace(namespace);
    CellStore store = HBaseStore.connect(LocalCluster.configuration(), options);
    while (!OPEN.offer(store)) {
      CellStore oldest = OPEN.poll();
      if (oldest != null) {
        oldest.close();
      }
    }
    byte[][] kept =
        Stream.of(cuts).filter(CUTS::contains).map(Bytes::toBytes).toArray(byte[][]::new);
    Creation.of(namespace, tables, kept);
    return store;
  }
}
