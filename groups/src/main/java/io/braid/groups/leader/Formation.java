package io.braid.groups.leader;

import io.braid.core.data.Row;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.runtime.Seams;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Transactions;
import io.braid.groups.GroupCreationException;
import io.braid.groups.GroupException;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupOptions;
import io.braid.groups.GroupRequest;
import io.braid.groups.log.GroupLog;
import io.braid.groups.protocol.JoinRefusal;
import io.braid.groups.protocol.Mode;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupState;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates groups (section 4): a record is written, then the keys join, then the record says that
 * the group is live.
 */
final class Formation {
  private static final Logger LOG = LoggerFactory.getLogger(Formation.class);

  private final TimestampOracle oracle;
  private final Transactions transactions;
  private final Seams seams;
  private final GroupLog log;
  private final GroupLeader.TableContext context;
  private final GroupOptions options;
  private final TableCatalog tables;
  private final ShippingCheck shippingCheck;
  private final Records records;
  private final Followers followers;
  private final LeaderLease lease;
  private final LedGroups led;
  private final ReadAhead.Sizes sizes = new ReadAhead.Sizes();

  Formation(
      GroupLeader.Base base,
      GroupOptions options,
      TableCatalog tables,
      ShippingCheck shippingCheck,
      Records records,
      Followers followers,
      LeaderLease lease,
      LedGroups led) {
    this.oracle = base.oracle();
    this.transactions = base.transactions();
    this.seams = base.seams();
    this.log = base.log();
    this.context = base.context();
    this.options = options;
    this.tables = tables;
    this.shippingCheck = shippingCheck;
    this.records = records;
    this.followers = followers;
    this.lease = lease;
    this.led = led;
  }

  /** Forms a group, which this process leads then. */
  LedGroup form(GroupRequest request) {
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
            GroupState.FORMING,
            request.keys().size(),
            seams.liveness().token(),
            log.describe(),
            now,
            now);
    if (!led.reserve(name)) {
      throw taken(name);
    }
    long term = lease.term();
    try {
      if (!records.create(record, request.keys())) {
        throw taken(name);
      }
      return formOrDissolve(record, request, term);
    } finally {
      led.unreserve(name);
    }
  }

  private static GroupException taken(String name) {
    return new GroupException(
        "There is a group '" + name + "' already: choose another name, or delete it.", null);
  }

  private LedGroup formOrDissolve(GroupRecord record, GroupRequest request, long term) {
    try {
      return form(record, request, term);
    } catch (RuntimeException e) {
      dissolve(record, request.keys());
      throw e;
    }
  }

  private LedGroup form(GroupRecord forming, GroupRequest request, long term) {
    // A table change that did not see the record of this group is found here.
    context.rules().lookAgain();
    checkTables(request);
    List<JoinRefusal> refused = followers.join(forming, request);
    Set<Row> joined = new LinkedHashSet<>(request.keys());
    refused.forEach(each -> joined.remove(each.key()));
    if (!refused.isEmpty()
        && (request.mode() == Mode.ATOMIC || !joined.contains(request.leader()))) {
      throw new GroupCreationException(
          forming.name(), refused, request.mode() == Mode.ATOMIC ? null : request.leader());
    }
    GroupRecord live = forming.with(GroupState.LIVE, joined.size());
    List<Row> rewritten = refused.isEmpty() ? List.of() : List.copyOf(joined);
    if (!records.change(forming, live, rewritten)) {
      throw new GroupGoneException(
          forming.name(), "was deleted, or taken over, while it was formed");
    }
    return led.enter(live(live, joined, refused, term, live.number()));
  }

  /** A group that this process has taken over in a term of its lease, before it is entered. */
  LedGroup lead(GroupRecord record, Set<Row> joined, long term, long since) {
    context.rules().lookAgain();
    return live(record, joined, List.of(), term, since);
  }

  private LedGroup live(
      GroupRecord record, Set<Row> joined, List<JoinRefusal> refused, long term, long since) {
    ReadAhead ahead = new ReadAhead(joined, options.readAhead(), sizes);
    return new LedGroup(
        record, joined, refused, transactions, log, lease, shippingCheck, term, since, ahead);
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

  private void check(GroupRequest request) {
    if (request.keys().size() > options.mostMembers()) {
      throw new IllegalArgumentException(
          "A group of "
              + request.keys().size()
              + " keys is over the limit of "
              + options.mostMembers()
              + ", which groups.members sets.");
    }
    if (led.count() >= options.mostGroups()) {
      throw new GroupException(
          "This process leads "
              + led.count()
              + (led.count() == 1 ? " group" : " groups")
              + " already, as many as it may: delete some, or raise groups.most.",
          null);
    }
    for (Row row : request.keys()) {
      if (row.key().isEmpty() || row.key().length() > context.limits().keyBytes()) {
        throw new IllegalArgumentException("Row " + row + " has a key that is empty or too long.");
      }
    }
    checkTables(request);
  }

  private void checkTables(GroupRequest request) {
    String protocol = context.protocolOf().of(request.leader().table());
    Set<String> seen = new HashSet<>();
    for (Row row : request.keys()) {
      if (seen.add(row.table())) {
        checkTable(row.table(), protocol);
      }
    }
  }

  private void checkTable(String table, String protocol) {
    ColumnRules.check(table, "f");
    context.rules().requireMembers(table);
    tables.epoch(table);
    String other = context.protocolOf().of(table);
    if (!other.equals(protocol)) {
      throw new IllegalArgumentException(
          "Table "
              + table
              + " is bound to "
              + other
              + ", and that of the leader key to "
              + protocol
              + ": a group takes keys from tables of one protocol.");
    }
  }
}
