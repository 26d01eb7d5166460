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
import org.jspecify.annotations.Nullable;

/**
 * A database on a server, over gRPC. Safe for many threads.
 *
 * <pre>{@code
 * try (BraidClient db = BraidClient.connect("127.0.0.1:7801")) {
 *   Column<Long> usd = Column.of("balance", "usd", Codecs.int64());
 *   db.run(tx -> {                                  // again on a conflict, and for no other reason
 *     long has = tx.get(bob, usd).orElse(0L);
 *     tx.set(bob, usd, has - 3);
 *     tx.set(joe, usd, 3L);
 *     return has;
 *   });
 * }
 * }</pre>
 *
 * <p>All methods throw {@link RefusedException} with the server's reason; {@link
 * UnavailableException} when the server does not answer after several attempts; {@link
 * ConflictException} when others were first; and {@link OutcomeUnknownException} when the answer to
 * a write was lost and could not be had later. Calls that change nothing, or that have a name, are
 * made again by themselves.
 */
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

  public static BraidClient connect(ClientOptions options) {
    return new BraidClient(new Server(options));
  }

  /** Creates a table with these families, or adds those it lacks. */
  public void ensureTable(String table, String... families) {
    EnsureTableRequest request =
        EnsureTableRequest.newBuilder().setTable(table).addAllFamilies(List.of(families)).build();
    server.again(() -> server.admin().ensureTable(request));
  }

  /** Removes a table with all its data. */
  public void dropTable(String table) {
    TableName request = TableName.newBuilder().setTable(table).build();
    server.once(() -> server.admin().dropTable(request));
  }

  /**
   * Runs a body in a transaction and commits it unless the body did. Runs it again, with growing
   * pauses and a bounded number of times, when others were first or its lease ended.
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

  /** Begins a transaction, which the caller commits and closes; {@link #run} is more convenient. */
  public Transaction begin() {
    return new RemoteTransaction(server, 0);
  }

  /** As {@link #begin()}; it is rolled back when nothing is heard of it for so long. */
  public Transaction begin(Duration lease) {
    return new RemoteTransaction(server, lease.toMillis());
  }

  /** A whole transaction in one call. */
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
   * What a request has done whose outcome was unknown: the commit timestamp. If it has done
   * nothing, it never will.
   */
  public Optional<Long> settle(String request) {
    return new NamedRequest(server, request).settle();
  }

  /** All tables as they are now. */
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

  public FastSession fast(FastOptions options) {
    return new RemoteFast(server, options);
  }

  /**
   * Creates a key group of all these rows; the first one is the leader key.
   *
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

  /** A key group that is there. */
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

  @Override
  public void close() {
    server.close();
  }
}
