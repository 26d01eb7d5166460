package io.braid.store.hbase;

import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.UnknownTableException;
import io.braid.store.hbase.region.RowService;
import io.braid.store.hbase.wire.FamilyKind;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.Reply;
import io.braid.store.hbase.wire.TableMarks;
import io.braid.store.hbase.wire.WatermarkCell;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ConcurrentTableModificationException;
import org.apache.hadoop.hbase.InvalidFamilyOperationException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/** The tables of the namespace, as far as they were looked at. */
final class Tables {
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  /** Changes of tables wait for all their regions. */
  private static final Duration CHANGE = Duration.ofMinutes(5);

  private static final long CHANGE_AGAIN_NANOS = 100_000_000;

  /** In the place of the birth of a table that is being created. */
  private static final long UNBORN = -1;

  /** A table as it was at a time. */
  record KnownTable(TableName name, TableSchema schema, TableMarks marks, long birth, long nanos) {
    void checkFamily(String family) {
      if (!schema.has(family)) {
        throw new UnknownTableException(Reply.unknownFamily(schema.name(), family));
      }
    }
  }

  private final AsyncAdmin admin;
  private final HBaseOptions options;
  private final ServerCheck servers;
  private final RisingCells cells;
  private final Map<String, KnownTable> known = new ConcurrentHashMap<>();

  /** By the ids of the tables. */
  private final Map<String, Long> births = new ConcurrentHashMap<>();

  Tables(AsyncAdmin admin, HBaseOptions options, ServerCheck servers, RisingCells cells) {
    this.admin = admin;
    this.options = options;
    this.servers = servers;
    this.cells = cells;
  }

  void ensureNamespace() {
    String namespace = options.namespace();
    String doing = "Looking for namespace " + namespace;
    if (!Futures.await(admin.listNamespaces(), options.patience(), doing).contains(namespace)) {
      try {
        Futures.await(
            admin.createNamespace(NamespaceDescriptor.create(namespace).build()), CHANGE, doing);
      } catch (StoreException e) {
        if (!(e.getCause() instanceof NamespaceExistException)) {
          throw e;
        }
      }
    }
  }

  TableName name(String table) {
    return TableName.valueOf(options.namespace(), HBaseNames.table(table));
  }

  /** A table that was looked at some time ago, or now. */
  KnownTable get(String table) {
    KnownTable found = find(table);
    if (found == null) {
      throw new UnknownTableException("There is no table " + table + ". Create it first.");
    }
    return found;
  }

  @Nullable KnownTable find(String table) {
    KnownTable before = known.get(table);
    return before != null ? before : look(table);
  }

  /** A table as it was when it was last looked at, without looking. */
  @Nullable KnownTable cached(String table) {
    return known.get(table);
  }

  /** A table as it was within the last second. */
  KnownTable recent(String table) {
    KnownTable before = known.get(table);
    if (before == null || System.nanoTime() - before.nanos > FRESH_NANOS) {
      look(table);
    }
    return get(table);
  }

  /** Refuses a table that is not there, and families that it does not have. */
  void requireFamilies(String table, List<Selection> selections) {
    KnownTable found = get(table);
    for (Selection selection : selections) {
      requireFamily(found, selection.family());
    }
  }

  /** A family that is not known may have been added by another client. */
  void requireFamily(KnownTable known, String family) {
    if (!known.schema().has(family)) {
      KnownTable now = look(known.schema().name());
      (now == null ? known : now).checkFamily(family);
    }
  }

  /** The tables that were looked at. */
  Set<String> inUse() {
    return known.keySet();
  }

  /** Looks again; one that has no birth yet is not there. */
  @Nullable KnownTable look(String table) {
    KnownTable now = lookAtAny(table);
    if (now == null || now.birth == UNBORN) {
      known.remove(table);
      return null;
    }
    known.put(table, now);
    return now;
  }

  private @Nullable KnownTable lookAtAny(String table) {
    try {
      TableDescriptor descriptor =
          admin
              .getDescriptor(name(table))
              .get(options.patience().toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
      KnownTable now = known(descriptor);
      if (now == null) {
        throw new StoreException("Table " + descriptor.getTableName() + " was not made by Braid.");
      }
      TableCheck.require(descriptor);
      return now;
    } catch (java.util.concurrent.ExecutionException e) {
      if (Futures.cause(e) instanceof TableNotFoundException) {
        return null;
      }
      throw Futures.failure("Looking for table " + table, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Futures.failure("Looking for table " + table, e);
    } catch (java.util.concurrent.TimeoutException e) {
      throw Futures.failure("Looking for table " + table, e);
    }
  }

  private @Nullable KnownTable known(TableDescriptor descriptor) {
    TableMarks marks = TableMarks.of(descriptor);
    if (marks == null) {
      return null;
    }
    List<FamilySchema> families = new ArrayList<>();
    for (ColumnFamilyDescriptor family : descriptor.getColumnFamilies()) {
      families.add(new FamilySchema(family.getNameAsString(), FamilyKind.of(family)));
    }
    TableName name = descriptor.getTableName();
    TableSchema schema =
        new TableSchema(HBaseNames.tableFrom(name.getQualifierAsString()), families);
    return new KnownTable(name, schema, marks, birth(marks), System.nanoTime());
  }

  private long birth(TableMarks marks) {
    if (!marks.born()) {
      return 0;
    }
    Long found = births.get(marks.id());
    if (found == null) {
      found = cells.get(WatermarkCell.birth(marks.id())) - 1;
      if (found != UNBORN) {
        births.put(marks.id(), found);
      }
    }
    return found;
  }

  List<TableSchema> all() {
    List<TableDescriptor> descriptors =
        Futures.await(
            admin.listTableDescriptorsByNamespace(options.namespace()),
            options.patience(),
            "Listing tables");
    List<TableSchema> schemas = new ArrayList<>();
    for (TableDescriptor descriptor : descriptors) {
      KnownTable table = known(descriptor);
      if (table != null && table.birth != UNBORN) {
        schemas.add(table.schema);
      }
    }
    schemas.sort(Comparator.comparing(TableSchema::name));
    return schemas;
  }

  /**
   * Creates a table, or adds its missing families. The birth is drawn after the table exists and
   * before any process may use it. So the birth is above all work that was begun with an earlier
   * table of the same name. This holds whichever process creates the table, and whenever that
   * process dies.
   */
  void ensure(TableSchema wanted, LongSupplier birth) {
    while (true) {
      KnownTable before = lookAtAny(wanted.name());
      if (before == null) {
        create(wanted);
        continue;
      }
      if (before.birth == UNBORN) {
        cells.begin(WatermarkCell.birth(before.marks.id()), birth.getAsLong() + 1);
        continue;
      }
      known.put(wanted.name(), before);
      TableSchema merged = before.schema.merge(wanted);
      List<FamilySchema> missing =
          merged.families().stream().filter(each -> !before.schema.has(each.name())).toList();
      if (missing.isEmpty()) {
        return;
      }
      missing.forEach(each -> add(before, each));
    }
  }

  private void create(TableSchema schema) {
    if (schema.families().isEmpty()) {
      throw new StoreException("Table " + schema.name() + " needs a family.");
    }
    servers.requireJars();
    TableDescriptor descriptor = descriptor(name(schema.name()), schema, true);
    try {
      Futures.await(admin.createTable(descriptor), CHANGE, "Creating table " + schema.name());
    } catch (StoreException e) {
      if (!(e.getCause() instanceof TableExistsException)) {
        throw e;
      }
    }
  }

  /**
   * A new table as Braid wants it.
   *
   * @param born whether it is to have a birth
   */
  static TableDescriptor descriptor(TableName name, TableSchema schema, boolean born) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    for (int i = 0; i < schema.families().size(); i++) {
      ColumnFamilyDescriptor family = FamilyTuning.descriptor(schema.families().get(i));
      TableMarks marks =
          new TableMarks(family.getNameAsString(), UUID.randomUUID().toString(), 0, born);
      builder.setColumnFamily(i == 0 ? marks.note(family) : family);
    }
    try {
      return builder.setCoprocessor(RowService.class.getName()).build();
    } catch (java.io.IOException e) {
      throw new StoreException("Creating table " + schema.name(), e);
    }
  }

  private void add(KnownTable table, FamilySchema family) {
    try {
      change(
          "Adding family " + family.name() + " to table " + table.schema.name(),
          () -> admin.addColumnFamily(table.name, FamilyTuning.descriptor(family)));
    } catch (StoreException e) {
      if (!(e.getCause() instanceof InvalidFamilyOperationException)) {
        throw e;
      }
    }
  }

  /** The epoch that a table is at, or is being raised to. */
  long epoch(String table) {
    KnownTable now = recent(table);
    long raised = cells.get(WatermarkCell.epoch(now.marks.id()));
    return Math.max(raised, Math.max(now.marks.epoch(), now.birth));
  }

  /**
   * Raises the epoch of a table. First writes the target epoch, so that regions that open from then
   * on work under it; then has all regions opened again. A second caller does the same again,
   * unless the raise is known to be done.
   */
  void raiseEpoch(String table, long epoch) {
    KnownTable before = get(table);
    String id = before.marks.id();
    if (epoch <= installed(id)) {
      return;
    }
    cells.raise(WatermarkCell.epoch(id), epoch);
    long target = cells.get(WatermarkCell.epoch(id));
    change("Raising the epoch of table " + table, () -> install(before, target));
    cells.raise(WatermarkCell.installedEpoch(id), target);
    look(table);
  }

  /**
   * Says where the epoch of a table is to go, for regions that have not been asked since they
   * opened; those that have been keep theirs.
   */
  void announceEpoch(String table, long epoch) {
    cells.raise(WatermarkCell.epoch(get(table).marks.id()), epoch);
  }

  /** Forgets what was looked at: other tables have come in their place. */
  void forget() {
    known.clear();
  }

  /** Changes the table as it is at this moment. */
  private CompletableFuture<Void> install(KnownTable table, long epoch) {
    TableMarks marks =
        new TableMarks(table.marks.family(), table.marks.id(), epoch, table.marks.born());
    return admin
        .getDescriptor(table.name)
        .thenCompose(
            now -> {
              requireSame(table, TableMarks.of(now));
              return admin.modifyColumnFamily(
                  table.name,
                  marks.note(now.getColumnFamily(marks.family().getBytes(StandardCharsets.UTF_8))));
            });
  }

  /** A table that took the place of this one keeps its own notes. */
  private void requireSame(KnownTable table, @Nullable TableMarks now) {
    if (now == null || !now.id().equals(table.marks.id())) {
      known.remove(table.schema.name());
      throw new StoreException(
          "Table "
              + table.schema.name()
              + " was dropped and created again while its epoch was raised: try again.");
    }
  }

  /**
   * Makes a change, and tries again when HBase refuses it: HBase does so when another process has
   * changed the table since this one looked at it.
   */
  private static void change(String doing, Supplier<CompletableFuture<Void>> change) {
    long end = System.nanoTime() + CHANGE.toNanos();
    while (true) {
      try {
        Futures.await(change.get(), CHANGE, doing);
        return;
      } catch (StoreException e) {
        if (!(e.getCause() instanceof ConcurrentTableModificationException)
            || System.nanoTime() > end) {
          throw e;
        }
        Futures.pause(CHANGE_AGAIN_NANOS);
      }
    }
  }

  private long installed(String id) {
    return cells.get(WatermarkCell.installedEpoch(id));
  }

  void drop(String table) {
    TableName name = name(table);
    for (boolean disable : new boolean[] {true, false}) {
      try {
        (disable ? admin.disableTable(name) : admin.deleteTable(name)).join();
      } catch (CompletionException e) {
        Throwable cause = Futures.cause(e);
        if (!(cause instanceof TableNotFoundException
            || cause instanceof TableNotEnabledException)) {
          throw Futures.failure("Dropping table " + table, cause);
        }
      }
    }
    known.remove(table);
  }
}
