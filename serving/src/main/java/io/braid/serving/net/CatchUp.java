package io.braid.serving.net;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.serving.client.ReplicaFailedException;
import io.braid.serving.node.Membership;
import io.braid.serving.node.Missed;
import io.braid.serving.ring.Node;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The duty of a cluster's node to ask the others what it missed: once before it answers anything,
 * and now and then. A store whose push it missed it does not read from until it has fetched and
 * swapped that version.
 */
final class CatchUp implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(50);

  private final Seams seams;
  private final NodeService service;
  private final MissedPushes peers;
  private final ConcurrentMap<String, Long> behind = new ConcurrentHashMap<>();
  private final Signal end;
  private final Task task;
  private volatile boolean closed;

  /** How the others are asked. */
  interface MissedPushes {
    /** Of the node at an address, by store. */
    Map<String, Missed> of(String address) throws IOException;
  }

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
   * @throws StoreBehindException then
   */
  void check(String store) {
    if (!behind.isEmpty()) {
      Long version = behind.get(store);
      if (version != null) {
        throw new StoreBehindException(store, version);
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

  /** Asks the others, and marks what is behind. */
  private Map<String, Missed> look() {
    Map<String, Missed> missing = new TreeMap<>();
    Membership member = service.cluster().membership().orElse(null);
    if (member == null) {
      return missing;
    }
    for (Node node : member.topology().ring().nodes()) {
      if (node.id() != member.self() && !node.address().isEmpty()) {
        try {
          peers.of(node.address()).forEach((store, missed) -> note(member, store, missed, missing));
        } catch (IOException | ReplicaFailedException e) {
          LOG.debug("Node {} cannot tell what was missed.", node.address(), e);
        }
      }
    }
    behind.keySet().retainAll(missing.keySet());
    return missing;
  }

  private void note(Membership member, String store, Missed missed, Map<String, Missed> missing) {
    if (missed.nodes().contains(member.self()) && service.live(store) < missed.version()) {
      behind.put(store, missed.version());
      missing.put(store, missed);
    }
  }

  private void catchUp(String store, Missed missed) {
    int self = service.cluster().membership().orElseThrow().self();
    String base = missed.from().endsWith("/") ? missed.from() : missed.from() + "/";
    try {
      service.startFetch(store, base + "node-" + self, missed.version());
      FetchJob job = service.fetch(store);
      while (!job.ended() && !closed) {
        seams.sleep(POLL);
      }
      if (job.state() == FetchJob.State.DONE) {
        service.prepare(store, missed.version(), true);
        service.swap(store, missed.version(), true);
        behind.remove(store);
        LOG.info("Store {} has caught up with version {}.", store, missed.version());
      } else {
        LOG.warn("Store {} cannot catch up yet: {}", store, job.problem());
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Store {} cannot catch up yet.", store, e);
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
