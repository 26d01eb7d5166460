package io.braid.groups.leader;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Transactions;
import io.braid.groups.Group;
import io.braid.groups.GroupException;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupOptions;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupStats;
import io.braid.groups.GroupTransaction;
import io.braid.groups.Groups;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogEntry;
import io.braid.groups.rows.GroupRecord;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads groups in this process, and reports what is known of others: the grouping layer of the
 * client-based design (section 5.1). Safe for many threads.
 */
public final class GroupLeader implements Groups {
  private static final Logger LOG = LoggerFactory.getLogger(GroupLeader.class);

  /** How often others look for groups of leaders that are gone, before this takes theirs. */
  private final GroupLog log;

  private final Records records;
  private final Shipper shipper;
  private final FailedGroups failedGroups;
  private final LeaderLease lease;
  private final Succession succession;
  private final GhostSweep ghosts;
  private final LedGroups led;
  private final Formation formation;
  private final Deletion deletion;
  private final Surrender surrender;
  private final NewestValues newest;
  private final GroupReports reports;
  private final PendingCommits pending;
  private final Upkeep upkeep;
  private final OptimisticTransaction.Context context;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * The components that groups build on.
   *
   * @param log stays open when the groups are closed
   */
  public record Base(
      CellStore store,
      TimestampOracle oracle,
      Transactions transactions,
      Seams seams,
      GroupLog log,
      TableContext context) {}

  /**
   * The facts that groups need about the tables of their members.
   *
   * @param rules the requirements of their indexes
   */
  public record TableContext(Limits limits, ProtocolOf protocolOf, StoreRules rules) {
    /** For tables without indexes. */
    public TableContext(Limits limits, ProtocolOf protocolOf) {
      this(limits, protocolOf, StoreRules.NONE);
    }

    /** The protocol that a table is bound to: a group keeps to tables of one. */
    public interface ProtocolOf {
      String of(String table);
    }
  }

  /** Takes up the groups of leaders that are gone, then starts the duties. */
  public GroupLeader(Base base, GroupOptions options) {
    this(base, options, Optional.empty());
  }

  /**
   * As the constructor above, with keys that are asked for elsewhere than at their rows.
   *
   * @param followers how keys are asked for; by default at their rows
   */
  public GroupLeader(Base base, GroupOptions options, Optional<Followers> followers) {
    Seams seams = base.seams;
    this.log = base.log;
    TableCatalog tables = new TableCatalog(base.store);
    ShippingCheck shippingCheck =
        new ShippingCheck(tables, base.context.limits, base.context.rules);
    this.failedGroups = new FailedGroups(seams);
    this.records = new Records(base.store, seams, options.durability());
    Holds holds = new Holds(base.store, base.transactions, records, seams, options);
    Followers asked = followers.orElse(holds);
    this.shipper =
        new Shipper(
            base.transactions, log, seams, shippingCheck, failedGroups, options.shipBytes());
    this.lease = new LeaderLease(base.store, seams, options.leaderLease(), options.durability());
    GroupMemory memory = new GroupMemory(options.memoryBytes());
    this.led = new LedGroups(asked, log, seams, failedGroups, memory);
    this.formation =
        new Formation(base, options, tables, shippingCheck, records, asked, lease, led);
    this.deletion = new Deletion(base, options.lease(), records, asked, shipper, led, failedGroups);
    this.surrender = new Surrender(base, records, asked, led, deletion, lease);
    this.newest = new NewestValues(base, records, holds, led, this::readDurable);
    this.succession =
        new Succession(
            base, asked, options, formation, led, records, holds, shipper, lease, failedGroups);
    this.reports = new GroupReports(records, led, failedGroups, seams);
    this.pending = new PendingCommits(records, led, log, shipper);
    this.ghosts = new GhostSweep(base.store, records, holds);
    lease.renew();
    succession.begin();
    this.upkeep =
        new Upkeep(base, options, led, shipper, failedGroups, lease, succession, deletion, ghosts);
    BackPressure pressure =
        new BackPressure(seams, failedGroups, options.backlogBytes(), memory, upkeep::shipNow);
    this.context =
        new OptimisticTransaction.Context(
            seams, shippingCheck, pressure, options.runAttempts(), closed);
  }

  /**
   * Whether this process has given all its groups up and leads none any more, since the log cannot
   * be written.
   */
  public boolean hasResigned() {
    return lease.isResigned();
  }

  /** Whether the log cannot be written any more: then this process has to be started again. */
  public boolean isLogBroken() {
    return log.isBroken();
  }

  /** Frees rows that groups hold which are gone; how many there were. Done now and then anyway. */
  public int sweepGhosts() {
    requireOpen();
    return ghosts.run();
  }

  // Creating.

  @Override
  public Group create(GroupRequest request) {
    requireOpen();
    if (lease.isResigned()) {
      throw new TabletUnavailableException(
          "This process leads no groups any more, since their log is broken: start it again.");
    }
    return new GroupHandle(this, context, formation.form(request));
  }

  // Using.

  @Override
  public Group open(String name) {
    requireOpen();
    return new GroupHandle(this, context, require(name));
  }

  LedGroup require(String name) {
    LedGroup group = led.named(name);
    if (group == null) {
      throw new GroupGoneException(name, reports.whyNotHere(name));
    }
    return group;
  }

  /** The newest value of a column of a member, once the commit that wrote it is durable. */
  <T> Optional<T> readDurable(LedGroup group, Row row, Column<T> column) {
    try (GroupTransaction tx = new OptimisticTransaction(context, group, true)) {
      Optional<T> value = tx.get(row, column);
      tx.commit();
      return value;
    }
  }

  @Override
  public <T> Optional<T> latest(Row row, Column<T> column) {
    requireOpen();
    return newest.read(row, column);
  }

  // Looking.

  @Override
  public List<GroupInfo> list() {
    return reports.all();
  }

  /** The groups that are led here. */
  public List<GroupInfo> led() {
    return reports.led();
  }

  @Override
  public Optional<GroupInfo> find(String name) {
    return reports.find(name);
  }

  @Override
  public List<Row> membersOf(String name) {
    return records.members(name);
  }

  /** The tables of the members of a group that was opened here. */
  public Collection<String> tablesOf(Group group) {
    return group instanceof GroupHandle handle
        ? handle.tables()
        : group.members().stream().map(Row::table).distinct().toList();
  }

  @Override
  public List<LogEntry> pending(String name, long after) {
    requireOpen();
    return pending.after(name, after);
  }

  GroupInfo info(LedGroup group) {
    return reports.info(group);
  }

  @Override
  public int count() {
    return led.count();
  }

  /** How they are. */
  public GroupStats stats() {
    long unshipped = led.all().stream().mapToLong(LedGroup::unshipped).sum();
    return new GroupStats(led.count(), unshipped, failedGroups.count());
  }

  /** Whether this process leads a group of that name, and has formed it. */
  public boolean leadsLive(String name) {
    return led.named(name) != null;
  }

  /** Why a group cannot be taken up that this process should lead. */
  public Optional<String> troubles(String name) {
    return reports.troubles(name);
  }

  /** The groups with rows in a table. */
  public List<String> groupsOf(String table) {
    return reports.withRowsIn(table);
  }

  /** The liveness token of the process that leads a group. */
  public Optional<String> ownerOf(String name) {
    return reports.ownerOf(name);
  }

  /**
   * A transaction without isolation on a group that was opened here; see {@link Group#update
   * Group.update}.
   */
  public GroupTransaction updater(Group group) {
    if (group instanceof GroupHandle handle) {
      return handle.updater();
    }
    throw new IllegalArgumentException("Group '" + group.name() + "' was not opened here.");
  }

  /** Deletes a group that was opened here and is led here still, unless a client has it open. */
  public void deleteUnlessOpen(Group group) {
    LedGroup now = led.named(group.name());
    if (now != null && isCurrent(group) && !now.isOpen()) {
      delete(now);
    }
  }

  /** Whether a group that was opened here is still led here as it was then. */
  public boolean isCurrent(Group group) {
    return group instanceof GroupHandle handle && handle.isLedBy(led.named(group.name()));
  }

  /** The name of the group that holds a row here; empty when none that this process leads does. */
  public Optional<String> holder(Row row) {
    return led.holder(row);
  }

  /** Whether a row is in a group that this process leads and answers for at this moment. */
  public boolean serves(Row row) {
    LedGroup group = led.of(row);
    return group != null && group.serves();
  }

  @Override
  public void handOver(String name, String node) {
    requireOpen();
    throw new GroupException(
        "Group '" + name + "' stays here: this process is no group node, and knows no other.",
        null);
  }

  /**
   * Ships a group and makes another process its leader, which takes it up as soon as it looks.
   *
   * @param successor the liveness token of the other
   */
  public void bequeath(String name, String successor, String successorsLog) {
    requireOpen();
    succession.bequeath(require(name), successor, successorsLog);
  }

  /** Makes another process the leader of all groups that are led here. */
  public void bequeathAll(String successor, String successorsLog) {
    for (String name : led.all().stream().map(group -> group.record().name()).toList()) {
      try {
        bequeath(name, successor, successorsLog);
      } catch (GroupException e) {
        LOG.debug("Group {} stays here.", name, e);
      }
    }
    succession.bequeathTroubles(successor, successorsLog);
  }

  /** Looks now for groups that this process is to lead. */
  public void takeUp() {
    requireOpen();
    succession.round();
  }

  /** As {@link #takeUp}. Also takes up the groups of dead group nodes if no other node is left. */
  public void takeUpAll() {
    requireOpen();
    succession.begin();
  }

  // Shipping.

  void ship(LedGroup group) {
    led.acquire(group);
    try {
      shipper.shipAll(group);
    } finally {
      group.release();
    }
  }

  // Deleting.

  @Override
  public void delete(String name) {
    requireOpen();
    LedGroup here = led.named(name);
    if (here != null) {
      delete(here);
    } else {
      delete(find(name).orElseThrow(() -> new GroupGoneException(name, "does not exist")));
    }
  }

  @Override
  public void delete(GroupInfo group) {
    requireOpen();
    deletion.delete(group.name(), group.number());
  }

  void delete(LedGroup group) {
    deletion.delete(group);
  }

  @Override
  public void giveUp(GroupInfo group) {
    requireOpen();
    surrender.giveUp(group.name(), group.number());
  }

  private void requireOpen() {
    context.requireOpen();
  }

  /**
   * Ships everything. Groups that are left live stay so: the next process that opens the database
   * leads them.
   */
  @Override
  public void close() {
    closed.set(true);
    upkeep.close();
    for (LedGroup group : led.all()) {
      try {
        GroupRecord record = group.record();
        records.change(record, record.usedAt(reports.usedMillis(group)));
      } catch (RuntimeException e) {
        LOG.debug("Group {} is shipped when it is taken up again.", group.record().name(), e);
      }
    }
    lease.giveBack();
  }
}
