package io.braid.groups.node;

import io.braid.core.cells.Hold;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.groups.GroupRequest;
import io.braid.groups.leader.Followers;
import io.braid.groups.leader.Holds;
import io.braid.groups.protocol.Actions;
import io.braid.groups.protocol.Envelope;
import io.braid.groups.protocol.GroupId;
import io.braid.groups.protocol.JoinRefusal;
import io.braid.groups.protocol.Message;
import io.braid.groups.protocol.Messaging;
import io.braid.groups.protocol.Notice;
import io.braid.groups.protocol.ProtocolNode;
import io.braid.groups.protocol.ProtocolOptions;
import io.braid.groups.protocol.Transition;
import io.braid.groups.rows.GroupRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node of the grouping protocol at work. It hands arriving messages to the state machine, does
 * the work of a follower at the rows, and lets the leader wait for its followers.
 *
 * <p>The monitor guards the state machine; it is not held while the store is asked. The rows that a
 * J wants are taken first: so the yield is durable before the JA reports it. A D is answered when
 * the rows are free.
 */
final class MessagedFollowers implements Followers, AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(20);
  private static final Duration LOOK = Duration.ofMillis(500);

  private final String name;
  private final Holds holds;
  private final KeyPlacement placement;
  private final Seams seams;
  private final MessageSender sender;
  private final Inbox inbox;
  private final Duty ticking;
  private final Duration patience;
  private final boolean reliable;
  private final ProtocolNode node;
  private final Object monitor = new Object();
  private final Map<GroupId, Waiter> waiting = new ConcurrentHashMap<>();

  /** An event that a thread waits for. */
  private static final class Waiter {
    private final String group;
    private final long epoch;
    private final Signal news;
    private final List<List<Row>> joined = new ArrayList<>();
    private @Nullable List<JoinRefusal> formed;
    private boolean deleted;

    Waiter(GroupRecord record, Signal news) {
      this.group = record.name();
      this.epoch = record.epoch();
      this.news = news;
    }
  }

  /**
   * @param unique never given out before: the yields of this life are numbered from there on
   * @param patience how long a creation or a deletion may take
   * @param groupsAtOnce of how many groups it takes rows at a time
   */
  MessagedFollowers(
      String name,
      Holds holds,
      KeyPlacement placement,
      ProtocolOptions options,
      long unique,
      Duration patience,
      int groupsAtOnce,
      Seams seams,
      MessageSender sender) {
    this.name = name;
    this.holds = holds;
    this.placement = placement;
    this.seams = seams;
    this.sender = sender;
    this.patience = patience;
    this.reliable = options.messaging() == Messaging.RELIABLE;
    this.node = new ProtocolNode(name, placement, options);
    perform(actions -> node.recover(List.of(new Transition.Counters(unique, unique)), actions));
    this.inbox = new Inbox(seams, groupsAtOnce, this::read);
    this.ticking = Duty.start(seams, "braid-group-retries", TICK, this::tick);
  }

  private boolean tick() {
    perform(actions -> node.tick(seams.nanoTime(), actions));
    return false;
  }

  private void perform(Consumer<Actions> work) {
    Actions actions = ProtocolNode.actions();
    synchronized (monitor) {
      work.accept(actions);
      actions.notices().forEach(this::note);
      actions.send().forEach(this::send);
    }
  }

  private void send(Envelope envelope) {
    Waiter waits = waiting.get(envelope.message().group());
    sender.send(
        new NodeMessage(
            envelope.from(),
            envelope.to(),
            envelope.message(),
            waits == null ? "" : waits.group,
            waits == null ? NodeMessage.UNKNOWN : waits.epoch));
  }

  private void note(Notice notice) {
    Waiter waits = waiting.get(notice.group());
    if (waits == null) {
      return;
    }
    if (notice instanceof Notice.MembersJoined joined) {
      waits.joined.add(joined.keys());
    } else if (notice instanceof Notice.Formed formed) {
      waits.formed = formed.notJoined();
    } else if (notice instanceof Notice.Failed failed) {
      waits.formed = failed.notJoined();
    } else if (notice instanceof Notice.Deleted) {
      waits.deleted = true;
    }
    waits.news.raise();
  }

  // At the leader.

  @Override
  public List<JoinRefusal> join(GroupRecord forming, GroupRequest request) {
    GroupId id = new GroupId(name, forming.number(), forming.leader());
    Waiter waits = new Waiter(forming, seams.signal());
    waiting.put(id, waits);
    perform(
        actions ->
            node.create(
                forming.name(),
                forming.number(),
                forming.leader(),
                request.keys(),
                request.mode(),
                actions));
    long since = seams.nanoTime();
    while (true) {
      List<List<Row>> joined;
      List<JoinRefusal> formed;
      synchronized (monitor) {
        joined = List.copyOf(waits.joined);
        waits.joined.clear();
        formed = waits.formed;
      }
      joined.forEach(request.joined());
      if (formed != null) {
        return formed;
      }
      if (seams.nanoTime() - since > patience.toNanos() || Thread.currentThread().isInterrupted()) {
        return giveUp(id);
      }
      waits.news.await(LOOK);
    }
  }

  /** A node does not answer: the group is dissolved, and none of its keys joins any more. */
  private List<JoinRefusal> giveUp(GroupId id) {
    List<JoinRefusal> all = new ArrayList<>();
    perform(
        actions -> {
          node.led(id)
              .ifPresent(
                  group ->
                      group
                          .members()
                          .forEach(
                              key ->
                                  all.add(
                                      new JoinRefusal(
                                          key,
                                          group.owns(key)
                                              ? "was given back, as others did not answer"
                                              : "did not answer in time"))));
          node.delete(id, actions);
        });
    return all;
  }

  @Override
  public boolean owns(Row leader) {
    return placement.owner(leader).equals(name);
  }

  @Override
  public void forget(GroupRecord record) {
    GroupId id = new GroupId(name, record.number(), record.leader());
    waiting.remove(id);
    perform(actions -> node.abandon(id, actions));
  }

  @Override
  public boolean release(GroupRecord record, Collection<Row> keys) {
    GroupId id = new GroupId(name, record.number(), record.leader());
    Waiter before = waiting.get(id);
    Waiter waits = new Waiter(record, seams.signal());
    boolean[] gone = new boolean[1];
    perform(
        actions -> {
          gone[0] = before != null && before.deleted;
          waiting.put(id, waits);
          if (!gone[0]) {
            node.adopt(record.name(), record.number(), record.leader(), keys, actions);
            node.delete(id, actions);
          }
        });
    long since = seams.nanoTime();
    while (!gone[0] && seams.nanoTime() - since <= patience.toNanos()) {
      waits.news.await(LOOK);
      synchronized (monitor) {
        gone[0] = waits.deleted;
      }
      if (Thread.currentThread().isInterrupted()) {
        break;
      }
    }
    if (gone[0]) {
      waiting.remove(id, waits);
    }
    return gone[0] && (!reliable || areFree(keys, record.number(), since));
  }

  /** A D that cannot be lost is not acknowledged (4.1); so that is looked for at the rows. */
  private boolean areFree(Collection<Row> keys, long number, long since) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(1), Duration.ofMillis(100));
    List<Row> held = List.copyOf(keys);
    while (true) {
      held = holds.heldBy(held, number);
      if (held.isEmpty()) {
        return true;
      }
      if (seams.nanoTime() - since > patience.toNanos() || !backoff.pause()) {
        return false;
      }
    }
  }

  // At the follower.

  /** A packet has arrived. */
  void receive(Bytes packet) {
    MessageSender.open(packet).forEach(inbox::put);
  }

  /** Deals with a message; those of one group come one after another. */
  void read(NodeMessage arrived) {
    if (!arrived.to().equals(name)) {
      return;
    }
    Envelope envelope = new Envelope(arrived.from(), arrived.to(), arrived.message());
    if (arrived.message() instanceof Message.Join join) {
      join(envelope, join, arrived);
    } else if (arrived.message() instanceof Message.Delete delete) {
      if (release(delete, arrived.epoch())) {
        perform(actions -> node.receive(envelope, actions));
      }
    } else {
      perform(actions -> node.receive(envelope, actions));
    }
  }

  /**
   * Whether the keys of a D are free. A node that has just been started again knows nothing of the
   * groups that it leads, and sends a D all the same: the records know better.
   */
  private boolean release(Message.Delete delete, long epoch) {
    long number = delete.group().number();
    if (epoch != NodeMessage.UNKNOWN) {
      return holds.release(delete.keys(), number, epoch);
    }
    boolean free = true;
    for (Row key : delete.keys()) {
      Optional<Hold> hold = holds.of(key).filter(each -> each.number() == number);
      if (hold.isPresent()) {
        // Whether that was done is seen when the next D comes.
        holds.banish(key, hold.get());
        free = false;
      }
    }
    return free;
  }

  private void join(Envelope envelope, Message.Join join, NodeMessage arrived) {
    GroupId id = join.group();
    Hold hold = new Hold(arrived.group(), id.number(), arrived.epoch(), id.leader());
    List<JoinRefusal> refused = holds.take(join.keys(), hold, joined -> {}, false);
    Map<Row, String> unavailable = new HashMap<>();
    refused.forEach(each -> unavailable.put(each.key(), each.why()));
    Set<Row> taken = new HashSet<>(join.keys());
    taken.removeAll(unavailable.keySet());
    perform(
        actions -> {
          // The row is this group's now, so it was given back by the one that had it.
          List<Row> stale = new ArrayList<>();
          for (Row key : taken) {
            GroupId other = node.yieldedTo(key);
            if (other != null && !other.equals(id)) {
              stale.add(key);
            }
          }
          node.regain(stale, actions);
          node.receive(envelope, unavailable, actions);
        });
  }

  /** The numbers of the groups that it remembers something of. */
  Set<Long> known() {
    Set<Long> numbers = new HashSet<>();
    synchronized (monitor) {
      node.known().forEach(group -> numbers.add(group.number()));
    }
    waiting.keySet().forEach(group -> numbers.add(group.number()));
    return numbers;
  }

  /**
   * Forgets groups that were deleted elsewhere. The current leader of a group sends a D to the
   * current owners of its keys. So this node may have received no D.
   *
   * @param numbers of groups that have no record any more, hence no row
   */
  void forgetGone(Set<Long> numbers) {
    perform(
        actions -> {
          Set<GroupId> gone = node.known();
          gone.removeIf(group -> !numbers.contains(group.number()));
          node.forget(gone, actions);
        });
    waiting.forEach(
        (group, waits) -> {
          if (numbers.contains(group.number())) {
            synchronized (monitor) {
              waits.deleted = true;
            }
            waits.news.raise();
            waiting.remove(group, waits);
          }
        });
  }

  /** How many keys this node has yielded, as far as it knows. */
  int yieldedKeys() {
    synchronized (monitor) {
      return node.yieldedKeys();
    }
  }

  @Override
  public void close() {
    ticking.close();
    inbox.close();
  }
}
