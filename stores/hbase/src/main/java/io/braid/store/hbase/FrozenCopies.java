package io.braid.store.hbase;

import io.braid.core.store.FrozenTables;
import io.braid.core.store.StoreException;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.WatermarkCell;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frozen copies as snapshots of HBase, each flushed by its regions. While a namespace is being
 * filled with some it bears a mark in its descriptor, which is there before the first table goes
 * and as long as not all is in order again.
 */
final class FrozenCopies implements FrozenTables {
  private static final Logger LOG = LoggerFactory.getLogger(FrozenCopies.class);
  private static final Duration CHANGE = Duration.ofMinutes(10);
  private static final int ATTEMPTS = 5;
  private static final long AGAIN_NANOS = 500_000_000;

  private static final String MARK = "braid.thawing";
  private static final String FLOOR = "braid.thawing.floor";

  private final AsyncAdmin admin;
  private final HBaseOptions options;
  private final Tables tables;
  private final Runnable forget;

  /**
   * @param forget what the client knows of where regions are
   */
  FrozenCopies(AsyncAdmin admin, HBaseOptions options, Tables tables, Runnable forget) {
    this.admin = admin;
    this.options = options;
    this.tables = tables;
    this.forget = forget;
  }

  private TableName table(String name) {
    return name.equals(OWN) ? WatermarkCell.table(options.namespace()) : tables.name(name);
  }

  /** A region that moves or splits in this moment fails the whole: that is tried again. */
  @Override
  public void freeze(String name, String table) {
    if (!frozen(name).stream().filter(each -> each.name().equals(name)).toList().isEmpty()) {
      throw new StoreException("There is a snapshot " + name + " in HBase.");
    }
    for (int attempt = 1; ; attempt++) {
      try {
        await(
            "Taking snapshot " + name,
            admin.snapshot(new SnapshotDescription(name, table(table), SnapshotType.FLUSH)));
        return;
      } catch (StoreException e) {
        if (attempt >= ATTEMPTS) {
          throw e;
        }
        LOG.info("The snapshot of table {} is tried again: {}", table, e.toString());
        Futures.pause(AGAIN_NANOS);
        removeFrozen(name);
      }
    }
  }

  @Override
  public List<Copy> frozen(String prefix) {
    return await(
            "Listing snapshots", admin.listSnapshots(Pattern.compile(Pattern.quote(prefix) + ".*")))
        .stream()
        .map(FrozenCopies::copy)
        .sorted(Comparator.comparing(Copy::name))
        .toList();
  }

  private static Copy copy(SnapshotDescription snapshot) {
    TableName table = snapshot.getTableName();
    boolean own = table.equals(WatermarkCell.table(table.getNamespaceAsString()));
    return new Copy(
        snapshot.getName(),
        own ? OWN : HBaseNames.tableFrom(table.getQualifierAsString()),
        snapshot.getCreationTime());
  }

  @Override
  public void removeFrozen(String name) {
    if (frozen(name).stream().anyMatch(each -> each.name().equals(name))) {
      await("Deleting snapshot " + name, admin.deleteSnapshot(name));
    }
  }

  @Override
  public long beginThaw(String what, long floor) {
    NamespaceDescriptor now = namespace();
    String before = now.getConfigurationValue(FLOOR);
    long highest = Math.max(floor, before == null ? 0 : Long.parseLong(before));
    now.setConfiguration(MARK, what);
    now.setConfiguration(FLOOR, Long.toString(highest));
    modify(now);
    return highest;
  }

  @Override
  public String thawing() {
    String mark = namespace().getConfigurationValue(MARK);
    return mark == null ? "" : mark;
  }

  @Override
  public void endThaw() {
    NamespaceDescriptor now = namespace();
    now.removeConfiguration(MARK);
    now.removeConfiguration(FLOOR);
    modify(now);
  }

  private NamespaceDescriptor namespace() {
    return await(
        "Reading namespace " + options.namespace(),
        admin.getNamespaceDescriptor(options.namespace()));
  }

  private void modify(NamespaceDescriptor changed) {
    await("Marking namespace " + options.namespace(), admin.modifyNamespace(changed));
  }

  @Override
  public void thaw(List<Copy> copies) {
    if (thawing().isEmpty()) {
      throw new StoreException(
          "Namespace " + options.namespace() + " is in use: nothing is put in its place.");
    }
    for (TableName each :
        await("Listing tables", admin.listTableNamesByNamespace(options.namespace()))) {
      drop(each);
    }
    // The store's own table first: regions that open read there the state that holds for them.
    for (boolean own : new boolean[] {true, false}) {
      all(
          copies.stream()
              .filter(each -> each.table().equals(OWN) == own)
              .<Supplier<CompletableFuture<Void>>>map(
                  each -> () -> admin.cloneSnapshot(each.name(), table(each.table())))
              .toList());
    }
    forget.run();
    tables.forget();
    for (Copy each : copies) {
      if (!each.table().equals(OWN)) {
        // Regions have not been asked yet: they begin under it, and none has to open again.
        tables.announceEpoch(each.table(), tables.epoch(each.table()) + 1);
      }
    }
  }

  private void drop(TableName name) {
    if (await("Looking at table " + name, admin.isTableEnabled(name))) {
      await("Disabling table " + name, admin.disableTable(name));
    }
    await("Deleting table " + name, admin.deleteTable(name));
  }

  private void all(List<Supplier<CompletableFuture<Void>>> clones) {
    List<CompletableFuture<Void>> begun = clones.stream().map(Supplier::get).toList();
    begun.forEach(each -> await("Making a table out of a snapshot", each));
  }

  private static <T> T await(String doing, CompletableFuture<T> future) {
    return Futures.await(future, CHANGE, doing);
  }
}
