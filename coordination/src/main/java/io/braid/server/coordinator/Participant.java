package io.braid.server.coordinator;

import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.BatchingOracle;
import io.braid.core.time.RisingOracle;
import io.braid.core.time.TimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.ManagerClient;
import io.braid.omid.manager.TransactionManager;
import io.braid.server.coordination.Coordination;
import io.braid.server.coordination.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A process among several on one database: brings the oracle and the seams that they share. Closes
 * the coordination with itself.
 */
public final class Participant implements AutoCloseable {
  private static final Duration WATCH = Duration.ofSeconds(1);

  private final Coordination coordination;
  private final Trust trust;
  private final @Nullable Coordinator coordinator;
  private final Directory directory;
  private final Directory lockDirectory;
  private final SharedHints hints;
  private final Seams seams;
  private final TimestampOracle oracle;
  private final Directory commitDirectory;
  private final TransactionManager manager;
  private final Duty watch;

  /**
   * How a process takes part.
   *
   * @param lease how long the leader leads without renewal
   * @param candidate whether this process may become the leader
   * @param address where others reach it then
   * @param port 0 for any
   * @param cells how many cells the conflict map of the transaction manager holds then
   * @param trust decides which clients it lets in then, and which coordinator it asks
   */
  public record Terms(
      Duration lease, boolean candidate, InetAddress address, int port, int cells, Trust trust) {
    /**
     * @throws IllegalArgumentException when all clients would be let in unintentionally
     */
    public Terms {
      if (candidate) {
        trust.requireSafe(address);
      }
    }

    /** Makes terms for processes of one machine. */
    public Terms(Duration lease, boolean candidate, InetAddress address, int port, int cells) {
      this(lease, candidate, address, port, cells, Trust.NONE);
    }
  }

  /**
   * @param bound the durable bound of the timestamps, which all share
   * @throws TabletUnavailableException when the port is taken
   */
  public Participant(Coordination coordination, TimestampBound bound, Terms terms) {
    this.coordination = coordination;
    this.trust = terms.trust;
    Seams plain = new SystemSeams();
    String token = coordination.liveness().token();
    try {
      this.coordinator =
          terms.candidate ? new Coordinator(coordination, bound, plain, terms) : null;
    } catch (IOException e) {
      coordination.close();
      throw new TabletUnavailableException(
          "This process cannot be reached at " + terms.address + " " + terms.port + ".", e);
    }
    this.directory = directory(token);
    // Locks have a connection of their own, so that a timestamp never waits for one.
    this.lockDirectory = directory(token);
    this.hints = new SharedHints(directory(token), directory(token), plain);
    this.seams =
        new SystemSeams(coordination.liveness(), new SharedLocks(lockDirectory, plain), hints);
    this.commitDirectory = directory(token);
    this.oracle =
        new RisingOracle(
            new BatchingOracle(
                new SharedOracle(directory, plain, terms.lease.multipliedBy(4)), plain));
    // Commits have a connection of their own as well: begins do not wait for commit decisions.
    this.manager = new ManagerClient(oracle, new SharedManager(commitDirectory, plain));
    this.watch = Duty.start(plain, "braid-coordinator-watch", WATCH, this::watch);
  }

  private Directory directory(String token) {
    return new Directory(coordination.register(Coordinator.REGISTER), coordinator, token, trust);
  }

  /**
   * Watches the connection for commits. Only commits may exceed what a socket accepts while the
   * other end does not read.
   */
  private boolean watch() {
    commitDirectory.endIfReplaced();
    return false;
  }

  /** The clock and threads of this process, with the liveness and locks of all. */
  public Seams seams() {
    return seams;
  }

  public TimestampOracle oracle() {
    return oracle;
  }

  /** The transaction manager of all: begins here, and commits at the coordinator. */
  public TransactionManager manager() {
    return manager;
  }

  /** Opens a connection for a process that brings the requests of many clients in batches. */
  public ManagerConnection connect() {
    return new ManagerConnection(
        new Directory(coordination.register(Coordinator.REGISTER), null, "", trust));
  }

  /**
   * Returns the figures of the manager that leads, wherever it is.
   *
   * @throws TimestampUnavailableException when none answers
   */
  public Map<ManagerFigure, Long> figures() {
    Map<ManagerFigure, Long> figures = new EnumMap<>(ManagerFigure.class);
    for (ManagerFigure each : ManagerFigure.values()) {
      figures.put(each, figure(each));
    }
    return figures;
  }

  private long figure(ManagerFigure figure) {
    Leadership leadership = directory.leadership();
    if (leadership != null && coordinator != null) {
      return coordinator.figure(leadership, figure);
    }
    try {
      return directory.connection().ask(Frames.FIGURE, to -> to.writeByte(figure.ordinal()));
    } catch (IOException e) {
      throw new TimestampUnavailableException("The coordinator does not answer: " + e, e);
    }
  }

  /**
   * Returns the port at which this process answers while it is the coordinator; 0 when it never is.
   */
  public int port() {
    return coordinator == null ? 0 : coordinator.port();
  }

  /** Whether this process gives out the timestamps now. */
  public boolean isCoordinator() {
    return coordinator != null && coordinator.leads();
  }

  public List<Member> members() {
    return coordination.members();
  }

  /**
   * Returns the process that is the leader, or was it last if no other has become it since; empty
   * when that process is gone.
   */
  public Optional<Member> holder() {
    String token = directory.holder();
    return members().stream().filter(each -> each.token().equals(token)).findFirst();
  }

  @Override
  public void close() {
    directory.close();
    commitDirectory.close();
    lockDirectory.close();
    hints.close();
    watch.close();
    if (coordinator != null) {
      coordinator.close();
    }
    coordination.close();
  }
}
