package io.braid.serving.net;

import static java.util.stream.Collectors.toSet;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.serving.ServingException;
import io.braid.serving.client.ReplicaFailedException;
import io.braid.serving.node.Membership;
import io.braid.serving.node.MissedPush;
import io.braid.serving.ring.Node;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a cluster's node ask the others which pushes it missed: once before it answers anything, and
 * then periodically. The node does not read from a store whose push it missed until it has fetched
 * and swapped that version. It also reads again when the nodes that reported the push say that
 * nothing is missed any more, as after a version rollback. Silence of those nodes changes nothing.
 */
final class CatchUp implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(50);

  private final Seams seams;
  private final NodeService service;
  private final MissedPushes peers;
  private final ConcurrentMap<String, LaggingStore> behind = new ConcurrentHashMap<>();
  private final Signal end;
  private final Task task;
  private volatile boolean closed;

  /**
   * A store that is behind.
   *
   * @param tellers the nodes that say so
   */
  private record LaggingStore(MissedPush missed, Set<Integer> tellers) {}

  CatchUp(Seams seams, NodeService service, MissedPushes peers) {
    this.seams = seams;
    this.service = service;
    this.peers = peers;
    this.end = seams.signal();
    look();
    this.task = seams.start("catch-up", this::work);
  }

  /**
   * Refuses reads of a store that is behind.
   *
   * @throws ServingException {@code STORE_BEHIND} then
   */
  void check(String store) {
    if (!behind.isEmpty()) {
      LaggingStore known = behind.get(store);
      if (known != null) {
        throw new ServingException(
            ErrorCode.STORE_BEHIND,
            "This node has missed version "
                + known.missed().version()
                + " of "
                + store
                + " and is fetching it.");
      }
    }
  }

  private void work() {
    while (!closed) {
      end.await(PERIOD);
      if (!closed) {
        look().forEach(this::catchUp);
      }
    }
  }

  /** Asks the others, and marks what is behind; answers what they say now. */
  private Map<String, MissedPush> look() {
    Map<String, LaggingStore> told = new TreeMap<>();
    Membership member = service.cluster().membership().orElse(null);
    if (member == null) {
      behind.clear();
      return Map.of();
    }
    Set<Integer> asked = new TreeSet<>();
    for (Node node : member.topology().ring().nodes()) {
      if (node.id() != member.self() && !node.address().isEmpty()) {
        try {
          peers
              .of(node.address())
              .forEach((store, missed) -> note(member, node, store, missed, told));
          asked.add(node.id());
        } catch (IOException | ReplicaFailedException e) {
          LOG.debug("Node {} cannot tell what was missed.", node.address(), e);
        } catch (RuntimeException | VirtualMachineError | LinkageError e) {
          LOG.warn("What node {} tells of missed pushes is not understood.", node.address(), e);
        }
      }
    }
    Set<Integer> members = member.topology().ring().nodes().stream().map(Node::id).collect(toSet());
    behind.putAll(told);
    behind.entrySet().removeIf(mark -> isOver(mark, told, asked, members));
    Map<String, MissedPush> missing = new TreeMap<>();
    told.forEach((store, mark) -> missing.put(store, mark.missed()));
    return missing;
  }

  private void note(
      Membership member,
      Node teller,
      String store,
      MissedPush missed,
      Map<String, LaggingStore> told) {
    if (!missed.nodes().contains(member.self()) || service.live(store) >= missed.version()) {
      return;
    }
    LaggingStore known = told.get(store);
    if (known == null || known.missed().version() < missed.version()) {
      told.put(store, new LaggingStore(missed, new TreeSet<>(Set.of(teller.id()))));
    } else if (known.missed().version() == missed.version()) {
      known.tellers().add(teller.id());
      if (missed.confirmed()) {
        told.put(store, new LaggingStore(missed, known.tellers()));
      }
    }
  }

  /** Whether a store is behind no more: all that said so, and are still there, say otherwise. */
  private boolean isOver(
      Map.Entry<String, LaggingStore> mark,
      Map<String, LaggingStore> told,
      Set<Integer> asked,
      Set<Integer> members) {
    LaggingStore known = mark.getValue();
    return !told.containsKey(mark.getKey())
        && (service.live(mark.getKey()) >= known.missed().version()
            || known.tellers().stream()
                .allMatch(node -> asked.contains(node) || !members.contains(node)));
  }

  private void catchUp(String store, MissedPush missed) {
    Membership member = service.cluster().membership().orElse(null);
    if (!missed.confirmed() || member == null) {
      return;
    }
    String base = missed.from().endsWith("/") ? missed.from() : missed.from() + "/";
    try {
      service.startCatchUp(store, base + "node-" + member.self(), missed);
      FetchJob job = service.fetch(store);
      while (!job.ended() && !closed) {
        seams.sleep(POLL);
      }
      if (job.state() == FetchJob.State.DONE) {
        service.prepareAgain(store, missed.version());
        // That took its time, and the others may have gone back meanwhile.
        if (missed.equals(look().get(store))) {
          service.swapAgain(store, missed.version());
          behind.remove(store);
          LOG.info("Store {} has caught up with version {}.", store, missed.version());
        }
      } else {
        LOG.warn("Store {} cannot catch up yet: {}", store, job.problem());
      }
    } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
      if (e instanceof ServingException refusal && refusal.code() == ErrorCode.VERSION_REFUSED) {
        LOG.warn("Store {} does not catch up yet: {}", store, e.getMessage());
      } else {
        LOG.warn("Store {} cannot catch up yet.", store, e);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    end.raise();
    task.stop();
    task.join(Duration.ofSeconds(5));
  }
}
