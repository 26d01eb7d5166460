package io.braid.groups;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.Duty;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.HoldLostException;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogEntry;
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
public final class Groups implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Groups.class);
  private static final Duration EXPIRE_EVERY = Duration.ofSeconds(1);
  private static final Duration TURN = Duration.ofMillis(1);
  private static final Duration DELETE_PATIENCE = Duration.ofSeconds(30);

  private final CellStore store;
  private final TimestampOracle oracle;
  private final Transactions transactions;
  private final Seams seams;
  private final GroupLog log;
  private final GroupOptions options;
  private final Surroundings surroundings;
  private final TableCatalog tables;
  private final Records records;
  private final Holds holds;
  private final Shipper shipper;
  private final Map<String, LiveGroup> led = new ConcurrentHashMap<>();
  private final Map<Row, LiveGroup> members = new ConcurrentHashMap<>();
  private final Duty shipping;
  private final Duty expiring;
  private volatile boolean closed;

  /** What groups have to know of the tables of their members. */
  public record Surroundings(Limits limits, ProtocolOf protocolOf) {
    /** The protocol that a table is bound to: a group keeps to tables of one. */
    public interface ProtocolOf {
      String of(String table);
    }
  }

  /**
   * Takes up the groups that this log knows and that nobody alive leads, then starts the duties.
   *
   * @param log stays open when this is closed
   */
  public Groups(
      CellStore store,
      TimestampOracle oracle,
      Transactions transactions,
      Seams seams,
      GroupLog log,
      GroupOptions options,
      Surroundings surroundings) {
    this.store = store;
    this.oracle = oracle;
    this.transactions = transactions;
    this.seams = seams;
    this.log = log;
    this.options = options;
    this.surroundings = surroundings;
    this.tables = new TableCatalog(store);
    this.records = new Records(store, seams, options.durability());
    this.holds = new Holds(store, transactions, records, seams, options);
    this.shipper = new Shipper(transactions, log, seams, options.shipBytes());
    recover();
    this.shipping = Duty.start(seams, "braid-group-shipper", options.shipEvery(), this::shipRound);
    this.expiring = Duty.start(seams, "braid-group-lease", EXPIRE_EVERY, this::expireRound);
  }

  GroupOptions options() {
    return options;
  }

  // Creating.

  /**
   * Creates a group of all these keys; the first one is the leader key.
   *
   * @throws GroupCreationException when keys did not join; none is held
   */
  public Group create(Collection<Row> keys) {
    return create(GroupRequest.of(keys));
  }

  /**
   * Creates a group.
   *
   * @throws GroupCreationException when keys did not join that had to; none is held
   * @throws GroupException when there is a group of that name, or too many groups
   * @throws IllegalArgumentException when the keys cannot be those of a group
   */
  public Group create(GroupRequest request) {
    requireOpen();
    check(request);
    long number = oracle.next();
    String given = request.name();
    String name = given != null ? given : "g" + Long.toString(number, Character.MAX_RADIX);
    long now = seams.wallMillis();
    GroupRecord forming =
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
    if (!records.create(forming, request.keys())) {
      throw new GroupException(
          "There is a group '" + name + "' already: choose another name, or delete it.", null);
    }
    try {
      return new Group(this, form(forming, request));
    } catch (RuntimeException e) {
      dissolve(forming, request.keys());
      throw e;
    }
  }

  private LiveGroup form(GroupRecord forming, GroupRequest request) {
    List<NotJoined> refused =
        holds.take(request.keys(), forming.hold(), request.joined(), request.mode() == Mode.ATOMIC);
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
    return enter(new LiveGroup(live, joined, refused, transactions, log));
  }

  private LiveGroup enter(LiveGroup group) {
    group.usedAt(seams.nanoTime());
    led.put(group.record().name(), group);
    group.members().forEach(row -> members.put(row, group));
    return group;
  }

  private void leave(LiveGroup group) {
    led.remove(group.record().name(), group);
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

  private void dissolve(GroupRecord record, Collection<Row> keys) {
    try {
      if (holds.release(keys, record.number())) {
        records.remove(record);
      }
    } catch (RuntimeException e) {
      LOG.debug("Group {} will be dissolved when the database is opened again.", record.name(), e);
    }
  }

  // Using.

  /**
   * Opens a group that this process leads, such as one of an earlier life of the database.
   *
   * @throws GroupGoneException when there is none
   */
  public Group open(String name) {
    requireOpen();
    return new Group(this, require(name));
  }

  private LiveGroup require(String name) {
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
    if (value != null && value.length() > limits.valueBytes()) {
      throw new IllegalArgumentException(
          "The value for "
              + row
              + "/"
              + column
              + " has "
              + value.length()
              + " bytes, over the limit of "
              + limits.valueBytes()
              + ".");
    }
  }

  /** The newest value of a column: from the leader if the row is in a group that is led here. */
  public <T> Optional<T> latest(Row row, Column<T> column) {
    LiveGroup group = members.get(row);
    if (group != null) {
      try (GroupTransaction tx = begin(group, true)) {
        return tx.get(row, column);
      } catch (GroupGoneException e) {
        LOG.debug("Group {} has just gone.", group.record().name(), e);
      }
    }
    try (Snapshot snapshot = transactions.snapshot()) {
      return snapshot.get(row, column);
    }
  }

  // Looking.

  /** All groups that the store knows, in the order of their names. */
  public List<GroupInfo> list() {
    return records.all().stream()
        .map(this::info)
        .sorted(Comparator.comparing(GroupInfo::name))
        .toList();
  }

  public Optional<GroupInfo> find(String name) {
    return records.find(name).map(this::info);
  }

  /** The keys of a group, as its record has them. */
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

  /** How many groups this process leads. */
  public int count() {
    return led.size();
  }

  // Shipping.

  private boolean shipRound() {
    for (LiveGroup group : led.values()) {
      if (group.unshipped() > 0 && group.tryAcquire()) {
        try {
          shipper.shipAll(group);
        } catch (HoldLostException e) {
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

  private void lost(LiveGroup group, HoldLostException e) {
    LOG.warn("Group {} is led by another process by now: {}", group.record().name(), e.toString());
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

  private void acquire(LiveGroup group) {
    while (!group.tryAcquire()) {
      seams.sleep(TURN);
      if (Thread.currentThread().isInterrupted()) {
        throw new GroupException(
            "Interrupted while group '" + group.record().name() + "' was waited for.", null);
      }
    }
  }

  // Deleting.

  /**
   * Deletes a group, whoever leads it: all its commits are in the store when this returns, and its
   * rows are free.
   *
   * @throws GroupGoneException when there is none, or another process leads it
   */
  public void delete(String name) {
    requireOpen();
    delete(require(name));
  }

  void delete(LiveGroup group) {
    acquire(group);
    try {
      if (led.get(group.record().name()) == group) {
        end(group);
      }
    } catch (HoldLostException e) {
      lost(group, e);
      throw new GroupGoneException(group.record().name(), "is led by another process by now");
    } finally {
      group.release();
    }
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
    if (!holds.release(group.members(), deleting.number()) || !records.remove(deleting)) {
      throw unfinished(group);
    }
    log.forget(deleting.number());
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

  // Recovering.

  /**
   * What the paper's recovery does (4.3): groups that were live are live again, with all that their
   * log holds; a deletion that had begun goes on; a creation that nobody waits for any more is
   * undone.
   */
  private void recover() {
    Map<Long, List<LogEntry>> logged = log.recover();
    Set<Long> known = new HashSet<>();
    for (GroupRecord record : records.all()) {
      known.add(record.number());
      boolean mine = !seams.liveness().isAlive(record.owner());
      if (mine && record.log().equals(log.describe())) {
        takeOver(record, logged.getOrDefault(record.number(), List.of()));
      }
    }
    for (Long number : new ArrayList<>(logged.keySet())) {
      if (!known.contains(number)) {
        log.forget(number);
      }
    }
  }

  private void takeOver(GroupRecord record, List<LogEntry> entries) {
    GroupRecord ours = record.takenOverBy(seams.liveness().token(), log.describe());
    List<Row> keys = records.members(record.name());
    if (!records.change(record, ours)) {
      return;
    }
    if (record.state() == State.FORMING) {
      dissolve(ours, keys);
      return;
    }
    // While a group is deleted, rows that are free already are not to be taken again: but none is
    // free as long as something has yet to be shipped, for which the holds must know our epoch.
    long shipped = shipper.positionOf(ours.leader(), ours.number());
    boolean pending = entries.stream().anyMatch(entry -> entry.position() > shipped);
    List<NotJoined> refused =
        record.state() == State.LIVE || pending
            ? holds.take(keys, ours.hold(), joined -> {}, false)
            : List.of();
    if (!refused.isEmpty()) {
      throw new GroupException(
          "Group '" + record.name() + "' cannot be taken up again: " + refused, null);
    }
    LiveGroup group = new LiveGroup(ours, Set.copyOf(keys), List.of(), transactions, log);
    group.recover(shipper.positionOf(ours.leader(), ours.number()), entries);
    long idle = Math.max(0, seams.wallMillis() - record.usedMillis());
    enter(group);
    group.usedAt(seams.nanoTime() - Duration.ofMillis(idle).toNanos());
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
    expiring.close();
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
  }
}
