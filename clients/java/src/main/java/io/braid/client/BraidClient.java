package io.braid.client;

import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionBody;
import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.CreateGroupRequest;
import io.braid.rpc.v1.EnsureTableRequest;
import io.braid.rpc.v1.GroupMember;
import io.braid.rpc.v1.GroupName;
import io.braid.rpc.v1.JobsGrpc;
import io.braid.rpc.v1.RunRequest;
import io.braid.rpc.v1.RunResponse;
import io.braid.rpc.v1.StoresGrpc;
import io.braid.rpc.v1.TableName;
import io.braid.rpc.v1.TakeSnapshotRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A database on a server, over gRPC. Begin here. Open one client, share it between threads, and
 * close it last.
 *
 * <pre>{@code
 * try (BraidClient db = BraidClient.connect("127.0.0.1:7801")) {
 *   Column<Long> usd = Column.of("balance", "usd", Codecs.int64());
 *   Row bob = Row.of("accounts", "bob");
 *   Row joe = Row.of("accounts", "joe");
 *   db.run(tx -> {                                  // runs again on a conflict
 *     long has = tx.get(bob, usd).orElse(0L);
 *     tx.set(bob, usd, has - 3);
 *     tx.set(joe, usd, 3L);
 *     return has;
 *   });
 * }
 * }</pre>
 *
 * <p>All methods throw {@link RefusedException} with the server's reason, {@link
 * UnavailableException} when the server does not answer after several attempts, and {@link
 * ConflictException} when others were first. They throw {@link OutcomeUnknownException} when the
 * answer to a write was lost and could not be obtained later. The client repeats calls by itself if
 * they change nothing or have a name.
 *
 * <p>Transactions and snapshots are those of the process of the database, with these differences.
 * Each is for one thread at a time. Each throws the exceptions above instead of {@code
 * TransactionException}s; the reason gives the cause. A transaction sends its writes with the next
 * read or the commit, so an error in a write shows only then. The server rolls a transaction back
 * when its lease ends without a call. A transaction has no weak notifications, checkpoints and id.
 * A snapshot holds nothing on the server: its data may become too old while it is open.
 */
@API(status = API.Status.STABLE)
public final class BraidClient implements AutoCloseable {
  private final Server server;

  private BraidClient(Server server) {
    this.server = server;
  }

  /**
   * A server without TLS.
   *
   * @param address as HOST:PORT; nothing is sent before it is used
   */
  public static BraidClient connect(String address) {
    return connect(ClientOptions.of(address));
  }

  /**
   * Connects to a server with these options; the client sends nothing before its first use.
   *
   * @throws IllegalArgumentException when a file for TLS cannot be read
   */
  public static BraidClient connect(ClientOptions options) {
    return new BraidClient(new Server(options));
  }

  /** Creates a table with these families, or adds those it lacks. */
  public void ensureTable(String table, String... families) {
    EnsureTableRequest request =
        EnsureTableRequest.newBuilder().setTable(table).addAllFamilies(List.of(families)).build();
    server.again(() -> server.admin().ensureTable(request));
  }

  /**
   * Removes a table with all its data; does nothing when there is none.
   *
   * @throws UnavailableException also when the answer was lost, for this is asked once: call again
   */
  public void dropTable(String table) {
    TableName request = TableName.newBuilder().setTable(table).build();
    try {
      server.once(() -> server.admin().dropTable(request));
    } catch (RefusedException e) {
      if (!e.reason().equals("NO_SUCH_TABLE")) {
        throw e;
      }
    }
  }

  /**
   * Runs a body in a transaction and commits it unless the body did. Runs it again, with growing
   * pauses and {@link ClientOptions#attempts ClientOptions.attempts} times at most, when others
   * were first or its lease ended.
   *
   * @return the result of the body in the run that was committed
   * @throws ConflictException when others were first at the last attempt too
   * @throws E the exception of the body; the transaction is rolled back
   */
  public <R extends @Nullable Object, E extends Exception> R run(TransactionBody<R, E> body)
      throws E {
    for (int attempt = 1; ; attempt++) {
      try (RemoteTransaction tx = new RemoteTransaction(server, 0)) {
        R result = body.run(tx);
        if (!tx.ended()) {
          tx.commit();
        }
        return result;
      } catch (ConflictException e) {
        if (attempt >= server.attempts()) {
          throw e;
        }
      } catch (RefusedException e) {
        if (!e.reason().equals("NO_SUCH_TRANSACTION") || attempt >= server.attempts()) {
          throw e;
        }
      }
      Server.pause(attempt);
    }
  }

  /**
   * Begins a transaction, which the caller commits and closes; {@link #run run} is more convenient.
   */
  public Transaction begin() {
    return new RemoteTransaction(server, 0);
  }

  /**
   * As {@link #begin()}, with a lease in place of the server's setting. The server rolls the
   * transaction back when it gets no call for that time.
   */
  public Transaction begin(Duration lease) {
    return new RemoteTransaction(server, lease.toMillis());
  }

  /** Begins a whole transaction in one call: add its reads and writes, then run it. */
  public ClientScript script() {
    return new ClientScript(
        operations -> {
          String name = UUID.randomUUID().toString();
          RunRequest request =
              RunRequest.newBuilder().addAllOperations(operations).setRequest(name).build();
          AtomicReference<RunResponse> last =
              new AtomicReference<>(RunResponse.getDefaultInstance());
          long commit =
              new NamedRequest(server, name)
                  .done(
                      () -> {
                        RunResponse answer = server.transactions().run(request);
                        last.set(answer);
                        return answer.getCommit();
                      });
          return new ClientScript.Answer(
              commit, Objects.requireNonNull(last.get()).getResultsList());
        });
  }

  /**
   * Returns the commit timestamp of a request whose outcome was unknown. If empty, the request has
   * done nothing and never will: it is safe to do the same again.
   *
   * @param request of {@link OutcomeUnknownException#request}, unless that is empty
   */
  public Optional<Long> settle(String request) {
    return new NamedRequest(server, request).settle();
  }

  /** All tables as they are now, with everything that was committed before the call. */
  public Snapshot snapshot() {
    return snapshot("");
  }

  /** All tables as they were at a timestamp. */
  public Snapshot snapshotAt(long timestamp) {
    return snapshot(Long.toString(timestamp));
  }

  /** All tables as they were at a time. */
  public Snapshot snapshotAt(Instant time) {
    return snapshot(time.toString());
  }

  /** All tables as they were when something was pinned. */
  public Snapshot snapshotOf(String pin) {
    return snapshot(pin);
  }

  private Snapshot snapshot(String at) {
    TakeSnapshotRequest request = TakeSnapshotRequest.newBuilder().setAt(at).build();
    return new RemoteSnapshot(
        server, server.again(() -> server.rows().takeSnapshot(request)).getAt());
  }

  /** A session of transactions of one operation on one row, each in one call. */
  public FastSession fast() {
    return fast(FastOptions.DEFAULT);
  }

  /** As {@link #fast()}, with options. */
  public FastSession fast(FastOptions options) {
    return new RemoteFast(server, options);
  }

  /**
   * Creates a key group of all these rows; the first one is the leader key. The caller closes it,
   * which deletes the group, or detaches it.
   *
   * @param name up to 64 letters, digits, '.', '_' and '-'
   * @throws RefusedException with the reason {@code NOT_JOINED} when rows did not join; none is
   *     held
   */
  public ClientGroup group(String name, Collection<Row> rows) {
    CreateGroupRequest.Builder request = CreateGroupRequest.newBuilder().setName(name);
    rows.forEach(
        row ->
            request.addRows(
                GroupMember.newBuilder().setTable(row.table()).setRow(row.key().toString())));
    return new ClientGroup(server, server.once(() -> server.groups().createGroup(request.build())));
  }

  /**
   * A key group that is there. Closing it deletes the group, unless it is detached.
   *
   * @throws RefusedException with the reason {@code NO_SUCH_GROUP} when there is none
   */
  public ClientGroup openGroup(String name) {
    GroupName request = GroupName.newBuilder().setGroup(name).build();
    return new ClientGroup(server, server.again(() -> server.groups().getGroup(request)));
  }

  /** A served store. */
  public ClientStore store(String name) {
    return new ClientStore(server, name);
  }

  /** A read-write store of the cluster that the server is a node of. */
  public ClientTuples tuples(String store) {
    return new ClientTuples(server, store);
  }

  /** Stores of the server, as the proto files describe them; failures are those of gRPC. */
  public StoresGrpc.StoresBlockingStub stores() {
    return server.stores();
  }

  /** Everything of operators, as the proto files describe it; failures are those of gRPC. */
  public AdminGrpc.AdminBlockingStub admin() {
    return server.admin();
  }

  /** Loads, as the proto files describe them; failures are those of gRPC. */
  public JobsGrpc.JobsBlockingStub jobs() {
    return server.jobs();
  }

  /**
   * Ends the connection, after calls that are on their way, for which it waits some seconds. Later
   * ones are refused with the reason {@code CLOSED}.
   */
  @Override
  public void close() {
    server.close();
  }
}
