package io.braid.groups.node;

import io.braid.core.data.Column;
import io.braid.core.data.Decoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.ConflictException;
import io.braid.groups.Group;
import io.braid.groups.GroupBody;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.groups.GroupScript;
import io.braid.groups.GroupTransaction;
import io.braid.groups.protocol.JoinRefusal;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group whose leader is in another process. It keeps one connection, by which the leader knows
 * that it is open here; transactions have connections of their own.
 */
final class RemoteGroup implements Group {
  private static final int ATTEMPTS = 1000;

  private final RemoteGroups groups;
  private final long number;
  private final Connections connections;
  private final Wire.Target target;
  private final Row leader;
  private final Set<Row> members;
  private final List<JoinRefusal> notJoined;
  private @Nullable NodeConnection anchor;
  private volatile String address;
  private boolean open = true;

  private RemoteGroup(
      RemoteGroups groups,
      long number,
      Connections connections,
      NodeConnection anchor,
      Decoder view) {
    this.groups = groups;
    this.number = number;
    this.connections = connections;
    this.anchor = anchor;
    this.address = anchor.address();
    this.target = Wire.Target.decode(view);
    this.leader = view.row();
    this.members =
        Collections.unmodifiableSet(new LinkedHashSet<>(Lists.decode(view, Decoder::row)));
    this.notJoined = Lists.decode(view, JoinRefusal::decode);
  }

  /**
   * @param number in the order in which they were opened by this client
   */
  static RemoteGroup of(
      RemoteGroups groups, long number, Connections connections, Connections.Answer answer) {
    return new RemoteGroup(groups, number, connections, answer.connection(), answer.result());
  }

  long number() {
    return number;
  }

  @Override
  public String name() {
    return target.name();
  }

  @Override
  public Row leader() {
    return leader;
  }

  @Override
  public Set<Row> members() {
    return members;
  }

  @Override
  public List<JoinRefusal> notJoined() {
    return notJoined;
  }

  @Override
  public GroupInfo info() {
    return groups
        .find(name())
        .filter(now -> now.number() == target.number())
        .orElseThrow(() -> new GroupGoneException(name(), "does not exist any more"));
  }

  // Where the leader is.

  /** Tells the leader that this client is there. */
  void ping() {
    NodeConnection mine;
    synchronized (this) {
      mine = anchor;
      anchor = null;
    }
    try {
      if (mine != null && isStillLedAt(mine)) {
        keep(mine);
      } else if (isOpen()) {
        find();
      }
    } catch (RuntimeException e) {
      // The next transaction looks for the leader, and reports the error.
    }
  }

  private boolean isStillLedAt(NodeConnection mine) {
    try {
      mine.call(Wire.PING, target::encode);
      return true;
    } catch (GroupGoneException | NodeUnreachableException e) {
      connections.giveBack(mine);
      return false;
    }
  }

  private synchronized boolean isOpen() {
    return open;
  }

  private void keep(NodeConnection connection) {
    NodeConnection superfluous;
    synchronized (this) {
      superfluous = open && anchor == null ? null : connection;
      if (superfluous == null) {
        anchor = connection;
        address = connection.address();
      }
    }
    if (superfluous != null) {
      superfluous.close();
    }
  }

  /** Looks for the node that leads the group now. */
  private void find() {
    Connections.Answer answer = connections.ask(true, Wire.OPEN, target::encode);
    address = answer.connection().address();
    keep(answer.connection());
  }

  private interface Call<R extends @Nullable Object> {
    R on(String address);
  }

  /** Does something at the leader; looks for it when it has changed. Nothing is done twice. */
  private <R extends @Nullable Object> R atLeader(Call<R> call) {
    Backoff backoff =
        new Backoff(connections.seams(), Duration.ofMillis(5), Duration.ofMillis(300));
    while (true) {
      try {
        return call.on(address);
      } catch (GroupGoneException | TabletUnavailableException e) {
        if (backoff.elapsed().compareTo(connections.patience()) > 0 || !backoff.pause()) {
          throw e;
        }
        find();
      }
    }
  }

  // Transactions.

  @Override
  public <R extends @Nullable Object, E extends Exception> R run(GroupBody<R, E> body) throws E {
    int move = 1;
    int attempt = 1;
    while (true) {
      GroupTransaction tx = begin();
      try (tx) {
        R result = body.run(tx);
        if (tx.isActive()) {
          tx.commit();
        }
        return result;
      } catch (ConflictException e) {
        if (!tx.hasConflicted() || attempt++ == ATTEMPTS) {
          throw e;
        }
      } catch (LeaderChangedException e) {
        // Nothing was committed. Where the leader is now is found out by the next one.
        if (move++ == ATTEMPTS) {
          throw e;
        }
        attempt = 1;
      }
    }
  }

  @Override
  public GroupTransaction begin() {
    return begin(true);
  }

  private GroupTransaction begin(boolean isolated) {
    return atLeader(
        at -> {
          NodeConnection connection = connections.borrow(at);
          try {
            connection.call(
                Wire.BEGIN,
                to -> {
                  target.encode(to);
                  to.bool(isolated);
                });
          } catch (RuntimeException e) {
            connections.giveBack(connection);
            throw e;
          }
          return new RemoteTransaction(name(), connections, connection);
        });
  }

  @Override
  public GroupScript.Result run(GroupScript script) {
    return atLeader(
        at -> {
          NodeConnection connection = connections.borrow(at);
          try {
            Decoder from =
                connection.call(
                    Wire.RUN,
                    to -> {
                      target.encode(to);
                      script.encode(to);
                    });
            return new GroupScript.Result(from.varint(), Lists.decode(from, RemoteGroups::value));
          } catch (NodeUnreachableException e) {
            throw GroupOutcomeUnknownException.noAnswer(name(), e);
          } finally {
            connections.giveBack(connection);
          }
        });
  }

  @Override
  public long update(Consumer<GroupTransaction> updates) {
    try (GroupTransaction tx = begin(false)) {
      updates.accept(tx);
      return tx.commit();
    }
  }

  @Override
  public <T> Optional<T> read(Row row, Column<T> column) {
    return run(tx -> tx.get(row, column));
  }

  @Override
  public void ship() {
    atLeader(
        at -> {
          NodeConnection connection = connections.borrow(at);
          try {
            connection.call(Wire.SHIP, target::encode);
            return true;
          } finally {
            connections.giveBack(connection);
          }
        });
  }

  // The end.

  @Override
  public void detach() {
    NodeConnection mine = leave();
    if (mine != null) {
      try {
        mine.call(Wire.DETACH, target::encode);
        connections.giveBack(mine);
      } catch (RuntimeException e) {
        mine.close();
      }
    }
  }

  private synchronized @Nullable NodeConnection leave() {
    NodeConnection mine = anchor;
    anchor = null;
    open = false;
    groups.left(this);
    return mine;
  }

  @Override
  public void close() {
    if (!isOpen()) {
      return;
    }
    NodeConnection mine = leave();
    if (mine != null) {
      try {
        mine.call(Wire.DELETE, target::encode);
        return;
      } catch (ElsewhereException | GroupGoneException | NodeUnreachableException e) {
        // The group was handed over, or its leader is lost: the current leader will delete the
        // group.
      } finally {
        connections.giveBack(mine);
      }
    }
    groups.delete(target);
  }
}
