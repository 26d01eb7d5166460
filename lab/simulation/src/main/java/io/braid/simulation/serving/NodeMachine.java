package io.braid.simulation.serving;

import io.braid.serving.ServingException;
import io.braid.serving.client.ReadAnswer;
import io.braid.serving.client.ReadRequest;
import io.braid.serving.net.NodeEndpoint;
import io.braid.serving.net.NodeService;
import io.braid.serving.node.Membership;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.push.PushNode;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.schedule.SimulationFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The machine of a node: its directory stays, its processes come and go. */
final class NodeMachine {
  private static final long MEAN_RESTART_NANOS = Duration.ofSeconds(3).toNanos();

  private final PushCluster cluster;
  private final int id;
  private final Path path;
  private @Nullable NodeDirectory directory;
  private @Nullable Running running;
  private int lives;

  /** A process that serves. */
  record Running(SimProcess process, NodeService service, NodeEndpoint endpoint, PushNode push) {}

  NodeMachine(PushCluster cluster, int id, Path path) {
    this.cluster = cluster;
    this.id = id;
    this.path = path;
  }

  /** The process that answers now. */
  Optional<Running> running() {
    Running now = running;
    return now == null || now.process().isDead() ? Optional.empty() : Optional.of(now);
  }

  void start() {
    SimProcess process = cluster.process("node-" + id + "." + lives++);
    process.afterDeath(this::died);
    process.start("main", () -> open(process));
  }

  private void open(SimProcess process) {
    try {
      NodeDirectory own = NodeDirectory.own(path, process.seams());
      directory = own;
      if (own.membership().isEmpty()) {
        own.join(new Membership(id, cluster.topology()));
      }
      cluster.tampering().beforeStores(own);
      NodeService service =
          new NodeService(process.seams(), own, cluster.options(), cluster.asks(process));
      NodeEndpoint endpoint = new NodeEndpoint(process.seams(), service);
      running = new Running(process, service, endpoint, cluster.tampering().pushNode(endpoint));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Does the work of the system for a process that has ended. */
  private void died() {
    release();
    cluster.later(MEAN_RESTART_NANOS, this::start);
  }

  /** Lets go of all files. */
  void release() {
    try {
      Running before = running;
      if (before != null) {
        running = null;
        for (String store : before.service().stores()) {
          before.service().store(store).close();
        }
      }
      if (directory != null) {
        directory.close();
        directory = null;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads, and compares the source of the answer with the content of the disk. */
  ReadAnswer read(Running at, ReadRequest request) throws IOException {
    ReadAnswer answer = at.endpoint().read(request);
    List<Long> served = served(request.store());
    long live = served.isEmpty() ? 0 : served.get(served.size() - 1);
    boolean right = request.version() == 0 ? answer.version() == live : isServed(served, answer);
    if (!right) {
      throw new SimulationFailure(
          "Node "
              + id
              + " answered in version "
              + answer.version()
              + " of "
              + request.store()
              + " when "
              + request.version()
              + " was asked for; live were "
              + served
              + ".");
    }
    return answer;
  }

  /** The version that it reads in; none when it refuses to. */
  OptionalLong answering(String store) {
    Optional<Running> now = running();
    if (now.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(
          now.get().endpoint().read(new ReadRequest(store, List.of(), 0, 0)).version());
    } catch (ServingException e) {
      return switch (e.code()) {
        case STORE_BEHIND, NOTHING_LIVE, NO_SUCH_STORE -> OptionalLong.empty();
        default -> throw e;
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isServed(List<Long> served, ReadAnswer answer) {
    return served.contains(answer.version());
  }

  /** Returns the versions that were live, as found on disk; the last one is live. */
  List<Long> served(String store) throws IOException {
    NodeDirectory own = directory;
    return own == null ? List.of() : own.store(store).served();
  }
}
