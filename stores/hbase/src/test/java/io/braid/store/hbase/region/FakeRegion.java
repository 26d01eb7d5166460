package io.braid.store.hbase.region;

import io.braid.core.store.TableSchema.Kind;
import io.braid.store.hbase.Fakes;
import io.braid.store.hbase.wire.FamilyKind;
import io.braid.store.hbase.wire.TableMarks;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.MemStoreSizing;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Region.RowLock;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;

/** An open region of table t with the families f and {@code ~intent}, without HBase. */
final class FakeRegion {
  static final String TABLE = "t";
  static final String SPARSE = "~intent";
  private static final TableName NAME = TableName.valueOf("braid", TABLE);

  /** What a mutation of the region does. */
  interface Log {
    void write() throws IOException;
  }

  final AtomicLong nanos = new AtomicLong();
  final List<String> aborts = new ArrayList<>();

  /** No family is looked through. */
  final RegionMemory.SharedState shared = new RegionMemory.SharedState(-1);

  final OpenRegion open;
  int locked;
  Log log = () -> {};

  FakeRegion() {
    ServerLease lease =
        new ServerLease(
            new ServerLease.Session() {
              @Override
              public Duration timeout() {
                return Duration.ofSeconds(10);
              }

              @Override
              public CompletableFuture<Boolean> isListed() {
                return CompletableFuture.completedFuture(true);
              }
            },
            nanos::get);
    lease.refresh();
    Abortable server =
        Fakes.of(
            Abortable.class, Map.of("abort", arguments -> aborts.add(arguments[0].toString())));
    open =
        OpenRegion.of(
            region(),
            new ServerClock(1),
            new ServerWatermark(nobody(), "braid"),
            lease,
            nobody(),
            shared,
            server);
  }

  private static Connection nobody() {
    return Fakes.of(Connection.class, Map.of());
  }

  private Region region() {
    RowLock lock = () -> locked--;
    Map<String, Fakes.Answer> answers = new HashMap<>();
    answers.put("getRegionInfo", arguments -> RegionInfoBuilder.newBuilder(NAME).build());
    answers.put("getTableDescriptor", arguments -> descriptor());
    answers.put("getStore", arguments -> store());
    answers.put("getStores", arguments -> List.of(store()));
    answers.put(
        "getRowLock",
        arguments -> {
          locked++;
          return lock;
        });
    answers.put("getScanner", arguments -> nothing());
    answers.put(
        "mutateRowsWithLocks",
        arguments -> {
          log.write();
          return null;
        });
    return Fakes.of(Region.class, answers);
  }

  private static RegionScanner nothing() {
    Map<String, Fakes.Answer> answers = new HashMap<>();
    answers.put("next", arguments -> false);
    answers.put("close", arguments -> null);
    return Fakes.of(RegionScanner.class, answers);
  }

  private Store store() {
    return Fakes.of(
        Store.class,
        Map.of(
            "getMemStoreSize",
            arguments -> MemStoreSizing.DUD.getMemStoreSize(),
            "getStorefiles",
            arguments -> List.of()));
  }

  private static TableDescriptor descriptor() {
    ColumnFamilyDescriptor data = ColumnFamilyDescriptorBuilder.of("f");
    ColumnFamilyDescriptor sparse =
        FamilyKind.note(
                ColumnFamilyDescriptorBuilder.newBuilder(ColumnFamilyDescriptorBuilder.of(SPARSE)),
                Kind.SPARSE)
            .build();
    return TableDescriptorBuilder.newBuilder(NAME)
        .setColumnFamily(new TableMarks("f", "id", 0, false).note(data))
        .setColumnFamily(sparse)
        .build();
  }
}
