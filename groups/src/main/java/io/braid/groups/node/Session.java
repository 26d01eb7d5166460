package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.groups.Group;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupScript;
import io.braid.groups.GroupTransaction;
import io.braid.groups.log.LogEntry;
import io.braid.groups.node.Roles.Role;
import io.braid.groups.protocol.JoinRefusal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The work of a node for one connection. The groups that the connection has opened, and the
 * transaction that it has begun, end with it: a client that disappears holds nothing up.
 */
final class Session implements ClientNetwork.ClientSession {
  /** The bytes before the values of an answer. */
  private static final int HEAD = 64;

  private static final int HEAD_OF_A_VALUE = 8;

  private final GroupNode node;
  private final Roles.Visitor visitor;
  private final Map<Long, Group> open = new HashMap<>();
  private @Nullable GroupTransaction transaction;

  Session(GroupNode node, Roles.Visitor visitor) {
    this.node = node;
    this.visitor = visitor;
  }

  @Override
  public void end() {
    GroupTransaction tx = transaction;
    if (tx != null) {
      tx.rollback();
    }
    open.values().forEach(node::abandoned);
  }

  @Override
  public Bytes answer(Bytes request) {
    try {
      Decoder from = new Decoder(request);
      int kind = from.u8();
      Encoder to = new Encoder(128);
      Optional<String> elsewhere = elsewhere(kind, new Decoder(request));
      if (elsewhere.isPresent()) {
        return to.u8(Wire.ELSEWHERE).text(elsewhere.get()).finish();
      }
      to.u8(Wire.DONE);
      perform(kind, from, to);
      from.end();
      Bytes answer = to.finish();
      requireShort(answer.length());
      return answer;
    } catch (RuntimeException e) {
      return Wire.failure(e);
    }
  }

  /** Returns where a request has to go, if not here. */
  private Optional<String> elsewhere(int kind, Decoder from) {
    from.u8();
    return switch (kind) {
      case Wire.CREATE -> node.routes().leaderFor(Wire.request(from).leader());
      case Wire.OPEN, Wire.HAND_OVER, Wire.PENDING -> node.routes().leaderOf(from.text());
      case Wire.DELETE, Wire.GIVE_UP -> node.routes().deleterOf(Wire.Target.decode(from));
      case Wire.LATEST -> node.routes().holderOf(from.row());
      default -> Optional.empty();
    };
  }

  private void perform(int kind, Decoder from, Encoder to) {
    switch (kind) {
      case Wire.CREATE -> create(Wire.request(from), to);
      case Wire.OPEN -> view(keep(opened(Wire.Target.decode(from), Role.READ)), to);
      case Wire.DETACH -> leave(Wire.Target.decode(from));
      case Wire.DELETE -> delete(Wire.Target.decode(from));
      case Wire.GIVE_UP -> giveUp(Wire.Target.decode(from));
      case Wire.BEGIN -> begin(Wire.Target.decode(from), from.bool());
      case Wire.GET -> get(from.row(), from, to);
      case Wire.GET_ROW -> getRow(from.row(), from, to);
      case Wire.COMMIT -> commit(from, to);
      case Wire.ROLLBACK -> rollback();
      case Wire.RUN -> run(Wire.Target.decode(from), from, to);
      case Wire.SHIP -> ship(Wire.Target.decode(from));
      case Wire.LIST -> Lists.encode(to, visible(), (i, out) -> Wire.encode(out, i));
      case Wire.LED -> led(Lists.decode(from, Decoder::varint), to);
      case Wire.SHOW -> show(from.text(), to);
      case Wire.LATEST -> latest(from.row(), from, to);
      case Wire.PENDING -> pending(from.text(), from.varint(), to);
      case Wire.HAND_OVER -> handOver(from.text(), from.text());
      case Wire.PING -> ping(Wire.Target.decode(from));
      case Wire.TAKE_UP -> takeUp();
      case Wire.SWEEP -> to.varint(sweepGhosts());
      case Wire.NUMBER -> to.varint(number(from.text()));
      case Wire.CARRY -> carry(from);
      case Wire.NODES -> Lists.encode(to, node.lookForNodes(), NodeInfo::write);
      default ->
          throw new IllegalArgumentException("Nothing is known of a request of kind " + kind + ".");
    }
  }

  // The permissions of a visitor.

  private void require(Role role, Collection<Row> rows) {
    if (!visitor.isUnlimited()) {
      visitor.require(role, rows.stream().map(Row::table).distinct().toList());
    }
  }

  /**
   * Opens a group, if the visitor has a role on the tables of all members. The tables are checked
   * after the group is open: a group created again under the same name, with other rows, is another
   * group.
   */
  private Group opened(Wire.Target target, Role role) {
    Group group = node.groups().open(target.name());
    try {
      if (!target.means(group.info().number())) {
        throw new GroupGoneException(
            target.name(), "has ended; another one has its name by now: open that");
      }
      if (!visitor.isUnlimited()) {
        visitor.require(role, node.groups().tablesOf(group));
      }
      return group;
    } catch (RuntimeException e) {
      group.detach();
      throw e;
    }
  }

  private List<GroupInfo> visible() {
    return node.list().stream().filter(this::isVisible).toList();
  }

  private boolean isVisible(GroupInfo group) {
    return visitor.may(Role.READ, group.leader().table());
  }

  /**
   * Encodes those of these groups that are led here, for nodes and processes that were asked for
   * all.
   */
  private void led(List<Long> numbers, Encoder to) {
    Set<Long> wanted = Set.copyOf(numbers);
    List<GroupInfo> led =
        node.groups().led().stream()
            .filter(each -> wanted.contains(each.number()) && isVisible(each))
            .toList();
    Lists.encode(to, led, (each, out) -> Wire.encode(out, each));
  }

  private void handOver(String name, String successor) {
    visitor.require(Role.ADMIN, List.of(Roles.EVERYTHING));
    node.handOver(name, successor);
  }

  private void takeUp() {
    visitor.require(Role.ADMIN, List.of(Roles.EVERYTHING));
    node.takeUp();
  }

  private void carry(Decoder from) {
    visitor.require(Role.ADMIN, List.of(Roles.EVERYTHING));
    node.carried(from);
  }

  private int sweepGhosts() {
    visitor.require(Role.ADMIN, List.of(Roles.EVERYTHING));
    return node.groups().sweepGhosts();
  }

  private void create(GroupRequest request, Encoder to) {
    require(Role.WRITE, request.keys());
    view(keep(node.groups().create(request)), to);
  }

  private Group keep(Group group) {
    Group before = open.put(group.info().number(), group);
    if (before != null) {
      before.detach();
    }
    return group;
  }

  private static void view(Group group, Encoder to) {
    to.text(group.name()).varint(group.info().number()).row(group.leader());
    Lists.encode(to, List.copyOf(group.members()), (row, out) -> out.row(row));
    Lists.encode(to, group.notJoined(), JoinRefusal::encode);
  }

  /** A group that is used once, and not held open by this connection. */
  private <R> R once(Wire.Target target, Role role, Function<Group, R> use) {
    Group group = opened(target, role);
    try {
      return use.apply(group);
    } finally {
      group.detach();
    }
  }

  /** Fails if a group that the client has open is not led here any more. */
  private void ping(Wire.Target target) {
    Group group = open.get(target.number());
    if (group == null || !node.groups().isCurrent(group)) {
      throw new GroupGoneException(target.name(), "is not open here: look for its leader");
    }
  }

  private void leave(Wire.Target target) {
    Optional.ofNullable(open.remove(target.number())).ifPresent(Group::detach);
  }

  /** The number of the group that has a name; 0 if none has. */
  private long number(String name) {
    return node.groups().find(name).map(GroupInfo::number).orElse(0L);
  }

  /** Deletes a group. A group that is gone counts as deleted, for clients that ask again. */
  private void delete(Wire.Target target) {
    Group held = open.get(target.number());
    if (held != null && node.groups().isCurrent(held)) {
      require(Role.WRITE, held.members());
      open.remove(target.number());
      held.close();
      return;
    }
    Optional<GroupInfo> there = found(target);
    if (there.isPresent()) {
      // If these are the members of a later group of that name by now, nothing is deleted.
      require(Role.WRITE, node.groups().membersOf(target.name()));
      require(Role.WRITE, List.of(there.get().leader()));
      node.groups().delete(there.get());
    }
  }

  private Optional<GroupInfo> found(Wire.Target target) {
    return node.groups().find(target.name()).filter(each -> target.means(each.number()));
  }

  private void giveUp(Wire.Target target) {
    visitor.require(Role.ADMIN, List.of(Roles.EVERYTHING));
    found(target).ifPresent(node.groups()::giveUp);
  }

  private void begin(Wire.Target target, boolean isolated) {
    rollback();
    transaction = once(target, Role.READ, isolated ? Group::begin : node::updater);
  }

  private GroupTransaction current() {
    GroupTransaction tx = transaction;
    if (tx == null) {
      throw new GroupGoneException("of this connection", "has no transaction: begin one");
    }
    return tx;
  }

  private void get(Row row, Decoder from, Encoder to) {
    value(current().get(row, new Column<>(from.column(), Codecs.bytes())), to);
  }

  private static void value(Optional<Bytes> value, Encoder to) {
    to.bool(value.isPresent());
    value.ifPresent(to::bytes);
  }

  private void getRow(Row row, Decoder from, Encoder to) {
    List<String> families = Lists.decode(from, Decoder::text);
    RowValues values = current().getRow(row, families.toArray(new String[0]));
    Lists.encode(
        to,
        List.copyOf(values.values().entrySet()),
        (each, out) -> out.column(each.getKey()).bytes(each.getValue()));
  }

  private void commit(Decoder from, Encoder to) {
    List<Wire.Change> changes = Lists.decode(from, Wire.Change::decode);
    require(Role.WRITE, changes.stream().map(Wire.Change::row).toList());
    GroupTransaction tx = current();
    transaction = null;
    try (tx) {
      for (Wire.Change each : changes) {
        Column<Bytes> column = new Column<>(each.column(), Codecs.bytes());
        Bytes value = each.value();
        if (value == null) {
          tx.delete(each.row(), column);
        } else {
          tx.set(each.row(), column, value);
        }
      }
      to.varint(tx.commit());
    }
  }

  private void rollback() {
    GroupTransaction tx = transaction;
    if (tx != null) {
      transaction = null;
      tx.rollback();
    }
  }

  private void run(Wire.Target target, Decoder from, Encoder to) {
    GroupScript script = GroupScript.decode(from);
    require(Role.WRITE, script.written());
    GroupScript.Result result =
        once(
            target,
            Role.READ,
            group ->
                group.run(
                    tx -> {
                      List<Optional<Bytes>> values = script.run(tx);
                      // A result that is too long for an answer is not committed.
                      requireShort(values.stream().mapToLong(Session::length).sum());
                      return new GroupScript.Result(tx.commit(), values);
                    }));
    to.varint(result.position());
    Lists.encode(to, result.values(), Session::value);
  }

  private static long length(Optional<Bytes> value) {
    return HEAD_OF_A_VALUE + value.map(Bytes::length).orElse(0);
  }

  private static void requireShort(long bytes) {
    if (bytes > Frames.MOST - HEAD) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "An answer of %,d bytes is too long for a group node, which gives up to %,d: read"
                  + " less at once.",
              bytes,
              Frames.MOST));
    }
  }

  private void ship(Wire.Target target) {
    once(
        target,
        Role.WRITE,
        group -> {
          group.ship();
          return true;
        });
  }

  private void show(String name, Encoder to) {
    GroupInfo info =
        node.find(name).orElseThrow(() -> new GroupGoneException(name, "does not exist"));
    List<Row> members = node.groups().membersOf(name);
    require(Role.READ, members);
    require(Role.READ, List.of(info.leader()));
    Wire.encode(to, info);
    Lists.encode(to, members, (row, out) -> out.row(row));
  }

  private void pending(String name, long after, Encoder to) {
    List<LogEntry> some = node.groups().pending(name, after);
    require(Role.READ, node.groups().membersOf(name));
    require(Role.READ, some.stream().flatMap(e -> e.writes().stream()).map(w -> w.row()).toList());
    Lists.encode(to, some, LogEntry::encode);
  }

  private void latest(Row row, Decoder from, Encoder to) {
    require(Role.READ, List.of(row));
    value(node.groups().latest(row, new Column<>(from.column(), Codecs.bytes())), to);
  }
}
