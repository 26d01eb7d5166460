package io.braid.groups;

import io.braid.core.cells.Hold;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.Duty;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.HoldLostException;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogFencedException;
import io.braid.groups.protocol.Mode;
import io.braid.groups.protocol.NotJoined;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupRecord.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups that this process leads, and what is known of others: the grouping layer of the
 * client-based design (section 5.1). Safe for many threads.
 */
public final class LocalGroups implements Groups {
  private static final Logger LOG = LoggerFactory.getLogger(LocalGroups.class);
  private static final Duration EXPIRE_EVERY = Duration.ofSeconds(1);
  private static final Duration TURN = Duration.ofMillis(1);
  private static final Duration LATEST_TURN = Duration.ofMillis(50);
  private static final Duration DELETE_PATIENCE = Duration.ofSeconds(30);

  private final TimestampOracle oracle;
  private final Transactions transactions;
  private final Seams seams;
  private final GroupLog log;
  private final GroupOptions options;
  private final Surroundings surroundings;
  private final TableCatalog tables;
  private final Records records;
  private final Holds holds;
  private final Followers followers;
  private final Shipper shipper;
  private final LeaderLease lease;
  private final Succession succession;
  private final GhostSweep ghosts;
  private final Map<String, LiveGroup> led = new ConcurrentHashMap<>();
  private final Map<Row, LiveGroup> members = new ConcurrentHashMap<>();
  private final Set<String> forming = ConcurrentHashMap.newKeySet();
  private final List<Duty> duties = new ArrayList<>();
  private final Duty shipping;
  private final Duty succeeding;
  private volatile boolean resigned;
  private volatile boolean closed;

  /**
   * What groups stand on.
   *
   * @param log stays open when the groups are closed
   */
  public record Base(
      CellStore store,
      TimestampOracle oracle,
      Transactions transactions,
      Seams seams,
      GroupLog log,
      Surroundings surroundings) {}

  /** What groups have to know of the tables of their members. */
  public record Surroundings(Limits limits, ProtocolOf protocolOf) {
    /** The protocol that a table is bound to: a group keeps to tables of one. */
    public interface ProtocolOf {
      String of(String table);
    }
  }

  /** Takes up the groups of leaders that are gone, then starts the duties. */
  public LocalGroups(Base base, GroupOptions options) {
    this(base, options, Optional.empty());
  }

  /**
   * As the other, with keys that are asked for elsewhere than at their rows.
   *
   * @param followers how keys are asked for; by default at their rows
   */
  public LocalGroups(Base base, GroupOptions options, Optional<Followers> followers) {
    this.oracle = base.oracle;
    this.transactions = base.transactions;
    this.seams = base.seams;
    this.log = base.log;
    this.options = options;
    this.surroundings = base.surroundings;
    this.tables = new TableCatalog(base.store);
    this.records = new Records(base.store, seams, options.durability());
    this.holds = new Holds(base.store, transactions, records, seams, options);
    this.followers = followers.orElse(holds);
    this.shipper = new Shipper(transactions, log, seams, options.shipBytes());
    this.lease = new LeaderLease(base.store, seams, options.leaderLease(), options.durability());
    this.succession = new Succession(this, records, holds, shipper, lease, log, oracle, seams);
    this.ghosts = new GhostSweep(base.store, records, holds);
    lease.renew();
    succession.begin();
    this.shipping = Duty.start(seams, "braid-group-shipper", options.shipEvery(), this::shipRound);
    duty("braid-group-lease", EXPIRE_EVERY, this::expireRound);
    this.succeeding =
        Duty.start(seams, "braid-group-succession", options.lookEvery(), succession::round);
    duty("braid-group-leader", lease.period(), this::renewRound);
    duty("braid-group-ghosts", options.sweepEvery(), this::sweepRound);
  }

  private void duty(String name, Duration period, Duty.Round round) {
    duties.add(Duty.start(seams, name, period, round));
  }

  private boolean renewRound() {
    if (resigned || (log.isBroken() && !lease.isExclusive())) {
      resign();
      return false;
    }
    lease.renew();
    boolean lapsed = false;
    for (LiveGroup group : led.values()) {
      if (group.term() != lease.term()) {
        LOG.info("Group {} is taken up anew: the lease had lapsed.", group.record().name());
        drop(group);
        lapsed = true;
      }
    }
    if (lapsed) {
      succeeding.wake();
    }
    return false;
  }

  /** Whoever can acknowledge no commit keeps no row: others can. */
  private void resign() {
    if (!resigned) {
      LOG.error(
          "The log of the groups is broken: this process gives its groups up. Start it again.");
      resigned = true;
    }
    led.values().forEach(this::drop);
    if (!lease.resign()) {
      LOG.debug("Others hear later that this process has given its groups up.");
    }
  }

  /**
   * Whether this process has given all its groups up and leads none any more, since the log cannot
   * be written.
   */
  public boolean hasResigned() {
    return resigned;
  }

  /** Whether the log cannot be written any more: then this process has to be started again. */
  public boolean isLogBroken() {
    return log.isBroken();
  }

  private boolean sweepRound() {
    ghosts.run();
    succession.sweepLog();
    return false;
  }

  /** Frees rows that groups hold which are gone; how many there were. Done now and then anyway. */
  public int sweepGhosts() {
    requireOpen();
    return ghosts.run();
  }

  GroupOptions options() {
    return options;
  }

  // Creating.

  @Override
  public Group create(GroupRequest request) {
    requireOpen();
    if (resigned) {
      throw new TabletUnavailableException(
          "This process leads no groups any more, since their log is broken: start it again.");
    }
    check(request);
    long number = oracle.next();
    String given = request.name();
    String name = given != null ? given : "g" + Long.toString(number, Character.MAX_RADIX);
    long now = seams.wallMillis();
    GroupRecord record =
        new GroupRecord(
            name,
            number,
            1,
            request.leader(),
            State.FORMING,
            request.keys().size(),
            seams.liveness().token(),
            log.describe(),
            now,
            now);
    if (!forming.add(name)) {
      throw taken(name);
    }
    long term = lease.term();
    try {
      if (!records.create(record, request.keys())) {
        throw taken(name);
      }
      return new LocalGroup(this, formOrDissolve(record, request, term));
    } finally {
      forming.remove(name);
    }
  }

  private static GroupException taken(String name) {
    return new GroupException(
        "There is a group '" + name + "' already: choose another name, or delete it.", null);
  }

  private LiveGroup formOrDissolve(GroupRecord record, GroupRequest request, long term) {
    try {
      return form(record, request, term);
    } catch (RuntimeException e) {
      dissolve(record, request.keys());
      throw e;
    }
  }

  private LiveGroup form(GroupRecord forming, GroupRequest request, long term) {
    List<NotJoined> refused = followers.join(forming, request);
    Set<Row> joined = new LinkedHashSet<>(request.keys());
    refused.forEach(each -> joined.remove(each.key()));
    if (!refused.isEmpty()
        && (request.mode() == Mode.ATOMIC || !joined.contains(request.leader()))) {
      throw new GroupCreationException(forming.name(), refused);
    }
    GroupRecord live = forming.with(State.LIVE, joined.size());
    List<Row> rewritten = refused.isEmpty() ? List.of() : List.copyOf(joined);
    if (!records.change(forming, live, rewritten)) {
      throw new GroupGoneException(forming.name(), "was taken over while it was formed");
    }
    return enter(
        new LiveGroup(live, joined, refused, transactions, log, lease, term, live.number()));
  }

  /** A group that this process has taken over in a term of its lease, before it is entered. */
  LiveGroup lead(GroupRecord record, Set<Row> joined, long term, long since) {
    return new LiveGroup(record, joined, List.of(), transactions, log, lease, term, since);
  }

  /** From now on this process leads the group. */
  LiveGroup enter(LiveGroup group) {
    group.usedAt(seams.nanoTime());
    led.put(group.record().name(), group);
    group.members().forEach(row -> members.put(row, group));
    return group;
  }

  void leave(LiveGroup group) {
    led.remove(group.record().name(), group);
    followers.forget(group.record());
    group.members().forEach(row -> members.remove(row, group));
  }

  private void check(GroupRequest request) {
    if (request.keys().size() > options.mostMembers()) {
      throw new IllegalArgumentException(
          "A group of "
              + request.keys().size()
              + " keys is over the limit of "
              + options.mostMembers()
              + ".");
    }
    if (led.size() >= options.mostGroups()) {
      throw new GroupException(
          "This process leads "
              + led.size()
              + " groups already, its limit: delete some, or raise the limit.",
          null);
    }
    Set<String> seen = new HashSet<>();
    String protocol = surroundings.protocolOf().of(request.leader().table());
    for (Row row : request.keys()) {
      if (row.key().isEmpty() || row.key().length() > surroundings.limits().keyBytes()) {
        throw new IllegalArgumentException("Row " + row + " has a key that is empty or too long.");
      }
      if (seen.add(row.table())) {
        ColumnRules.check(row.table(), "f");
        tables.epoch(row.table());
        String other = surroundings.protocolOf().of(row.table());
        if (!other.equals(protocol)) {
          throw new IllegalArgumentException(
              "Table "
                  + row.table()
                  + " is bound to "
                  + other
                  + ", and that of the leader key to "
                  + protocol
                  + ": a group takes keys from tables of one protocol.");
        }
      }
    }
  }

  /** Undoes a creation. */
  void dissolve(GroupRecord record, Collection<Row> keys) {
    try {
      if (followers.release(record, keys)) {
        records.remove(record);
      }
    } catch (RuntimeException e) {
      LOG.debug("Group {} will be dissolved when the database is opened again.", record.name(), e);
    }
  }

  // Using.

  @Override
  public Group open(String name) {
    requireOpen();
    return new LocalGroup(this, require(name));
  }

  LiveGroup require(String name) {
    LiveGroup group = led.get(name);
    if (group == null) {
      throw new GroupGoneException(
          name,
          records.find(name).isPresent()
              ? "is led by another process, or being deleted: try again there, or later"
              : "does not exist");
    }
    return group;
  }

  OptimisticTransaction begin(LiveGroup group, boolean isolated) {
    requireOpen();
    group.usedAt(seams.nanoTime());
    while (group.backlog() > options.backlogBytes() && group.record().state() == State.LIVE) {
      shipping.wake();
      seams.sleep(TURN);
      requireOpen();
    }
    return new OptimisticTransaction(group, this::checkColumn, isolated);
  }

  private void checkColumn(Row row, ColumnName column, @Nullable Bytes value) {
    tables.require(row.table(), column.family());
    Limits limits = surroundings.limits();
    if (column.qualifier().length() > limits.keyBytes()) {
      throw new IllegalArgumentException(
          "The qualifier of " + row + "/" + column + " is too long.");
    }
    if (value != null) {
      limits.requireValue(row, column, value);
    }
  }

  @Override
  public <T> Optional<T> latest(Row row, Column<T> column) {
    requireOpen();
    Backoff backoff = new Backoff(seams, TURN, LATEST_TURN);
    while (true) {
      LiveGroup group = members.get(row);
      GroupGoneException gone;
      if (group == null) {
        GroupRecord holder = holderInStore(row).orElse(null);
        if (holder == null) {
          return inStore(row, column);
        }
        gone = new GroupGoneException(holder.name(), "is led by another process: ask there");
        if (!holder.owner().equals(seams.liveness().token())) {
          throw gone;
        }
      } else {
        try (GroupTransaction tx = begin(group, true)) {
          return tx.get(row, column);
        } catch (GroupGoneException e) {
          gone = e;
        }
      }
      // While it is deleted or taken up, the store has yet to get all.
      if (backoff.elapsed().compareTo(DELETE_PATIENCE) > 0 || !backoff.pause()) {
        throw gone;
      }
    }
  }

  /** What is newest of a row that no group has, or none that could have committed. */
  private <T> Optional<T> inStore(Row row, Column<T> column) {
    try (Snapshot snapshot = transactions.snapshot()) {
      return snapshot.get(row, column);
    }
  }

  /** The group that holds a row by what the store says, unless it is yet to be formed. */
  private Optional<GroupRecord> holderInStore(Row row) {
    Hold hold = holds.of(row).orElse(null);
    return hold == null
        ? Optional.empty()
        : records
            .find(hold.group())
            .filter(now -> now.number() == hold.number() && now.state() != State.FORMING);
  }

  // Looking.

  @Override
  public List<GroupInfo> list() {
    return records.all().stream()
        .map(this::info)
        .sorted(Comparator.comparing(GroupInfo::name))
        .toList();
  }

  @Override
  public Optional<GroupInfo> find(String name) {
    return records.find(name).map(this::info);
  }

  @Override
  public List<Row> membersOf(String name) {
    return records.members(name);
  }

  private GroupInfo info(GroupRecord record) {
    LiveGroup here = led.get(record.name());
    return here == null ? GroupInfo.of(record, false, 0, 0) : info(here);
  }

  GroupInfo info(LiveGroup group) {
    return GroupInfo.of(group.record(), true, group.position(), group.unshipped());
  }

  @Override
  public int count() {
    return led.size();
  }

  /** Whether this process leads a group of that name, or is about to. */
  boolean leads(String name) {
    return led.containsKey(name) || forming.contains(name);
  }

  /** Whether this process leads a group of that name, and has formed it. */
  public boolean leadsLive(String name) {
    return led.containsKey(name);
  }

  /** The liveness token of the process that leads a group. */
  public Optional<String> ownerOf(String name) {
    return records.find(name).map(GroupRecord::owner);
  }

  /** A transaction without isolation; see {@link Group#update}. */
  public GroupTransaction updater(String name) {
    return begin(require(name), false);
  }

  /** Deletes a group, unless somebody has it open. */
  public void deleteUnlessOpen(String name) {
    LiveGroup group = led.get(name);
    if (group != null && !group.isOpen()) {
      delete(group);
    }
  }

  /** Whether a group that was opened here is still led here as it was then. */
  public boolean isCurrent(Group group) {
    return group instanceof LocalGroup local && local.isLedBy(led.get(group.name()));
  }

  /** The name of the group that holds a row here; empty when none that this process leads does. */
  public Optional<String> holder(Row row) {
    return Optional.ofNullable(members.get(row)).map(group -> group.record().name());
  }

  /** Whether a row is in a group that this process leads and answers for at this moment. */
  public boolean serves(Row row) {
    LiveGroup group = members.get(row);
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

  /** Makes another the leader of all groups that are led here. */
  public void bequeathAll(String successor, String successorsLog) {
    for (String name : List.copyOf(led.keySet())) {
      try {
        bequeath(name, successor, successorsLog);
      } catch (GroupException e) {
        LOG.debug("Group {} stays here.", name, e);
      }
    }
  }

  /** Looks now for groups that this process is to lead. */
  public void takeUp() {
    requireOpen();
    succession.round();
  }

  /** As {@link #takeUp}; also what group nodes led that are dead, and have left no other node. */
  public void takeUpAll() {
    requireOpen();
    succession.begin();
  }

  // Shipping.

  private boolean shipRound() {
    for (LiveGroup group : led.values()) {
      if (group.unshipped() > 0 && group.tryAcquire()) {
        try {
          shipper.shipAll(group);
        } catch (HoldLostException | LogFencedException e) {
          lost(group, e);
        } catch (RuntimeException e) {
          LOG.debug("Group {} is shipped later.", group.record().name(), e);
        } finally {
          group.release();
        }
      }
    }
    return false;
  }

  /** Another process leads the group by now. */
  void lost(LiveGroup group, RuntimeException e) {
    LOG.warn("Group {} is led by another process by now: {}", group.record().name(), e.toString());
    drop(group);
  }

  private void drop(LiveGroup group) {
    group.end(group.record().with(State.DELETING, group.members().size()));
    leave(group);
  }

  void ship(LiveGroup group) {
    acquire(group);
    try {
      shipper.shipAll(group);
    } finally {
      group.release();
    }
    if (group.unshipped() > 0) {
      throw new GroupException(
          "The commits of group '" + group.record().name() + "' are not all in the store yet.",
          null);
    }
  }

  void acquire(LiveGroup group) {
    while (!group.tryAcquire()) {
      seams.sleep(TURN);
      if (Thread.currentThread().isInterrupted()) {
        throw new GroupException(
            "Interrupted while group '" + group.record().name() + "' was waited for.", null);
      }
    }
  }

  // Deleting.

  @Override
  public void delete(String name) {
    requireOpen();
    delete(require(name));
  }

  void delete(LiveGroup group) {
    acquire(group);
    try {
      if (led.get(group.record().name()) == group) {
        end(group);
      } else if (isThere(group.record())) {
        // Whoever was before us lost it: nobody has deleted it.
        throw new GroupGoneException(group.record().name(), "is led by another process by now");
      }
    } catch (HoldLostException | LogFencedException e) {
      lost(group, e);
      throw new GroupGoneException(group.record().name(), "is led by another process by now");
    } finally {
      group.release();
    }
  }

  private boolean isThere(GroupRecord record) {
    return records.find(record.name()).filter(now -> now.number() == record.number()).isPresent();
  }

  /** The paper's order (5.4): everything is shipped before the followers get their keys back. */
  private void end(LiveGroup group) {
    GroupRecord before = group.record();
    GroupRecord deleting = before.with(State.DELETING, group.members().size());
    if (before.state() != State.DELETING) {
      if (!records.change(before, deleting)) {
        throw new HoldLostException(before.leader(), before.name());
      }
      group.end(deleting);
    }
    long since = seams.nanoTime();
    while (group.unshipped() > 0) {
      shipper.shipAll(group);
      if (group.unshipped() > 0 && seams.nanoTime() - since > DELETE_PATIENCE.toNanos()) {
        throw unfinished(group);
      }
    }
    if (!followers.release(deleting, group.members()) || !records.remove(deleting)) {
      throw unfinished(group);
    }
    log.forget(deleting.number(), oracle::next);
    leave(group);
  }

  private static GroupException unfinished(LiveGroup group) {
    return new GroupException(
        "Group '"
            + group.record().name()
            + "' is being deleted, but the store does not answer; it goes on in the background.",
        null);
  }

  /** Deletes groups that nobody uses, and those whose deletion broke off. */
  private boolean expireRound() {
    long now = seams.nanoTime();
    for (LiveGroup group : led.values()) {
      openLog(group);
      boolean expired = !group.isOpen() && now - group.usedNanos() > options.lease().toNanos();
      boolean half = group.record().state() == State.DELETING;
      if (expired || half) {
        LOG.debug("Group {} is deleted: nobody uses it.", group.record().name());
        try {
          delete(group);
        } catch (RuntimeException e) {
          LOG.debug("Group {} is deleted later.", group.record().name(), e);
        }
      }
    }
    return false;
  }

  private void openLog(LiveGroup group) {
    try {
      group.openLog();
    } catch (LogFencedException e) {
      lost(group, e);
    } catch (RuntimeException e) {
      LOG.debug("The log of group {} is opened later.", group.record().name(), e);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The groups are closed: open the database again.");
    }
  }

  /**
   * Ships what there is. Groups that are left live stay so: who opens the database next leads them.
   */
  @Override
  public void close() {
    closed = true;
    duties.forEach(Duty::close);
    succeeding.close();
    shipping.close();
    shipRound();
    for (LiveGroup group : led.values()) {
      try {
        GroupRecord record = group.record();
        long idle = (seams.nanoTime() - group.usedNanos()) / 1_000_000;
        records.change(record, record.usedAt(seams.wallMillis() - idle));
      } catch (RuntimeException e) {
        LOG.debug("Group {} is shipped when it is taken up again.", group.record().name(), e);
      }
    }
    lease.giveBack();
  }
}
