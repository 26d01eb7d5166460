package io.braid.cli.remote;

import io.braid.client.BraidClient;
import io.braid.client.ClientOptions;
import io.braid.client.OutcomeUnknownException;
import io.braid.client.RefusedException;
import io.braid.client.UnavailableException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.rpc.v1.EnsureTableRequest;
import java.util.Set;

/** Transactions of a server by way of the Java client. */
final class GrpcSessions implements RemoteSessions {
  /** Reasons of refusals after which nothing was done, nor will be. */
  private static final Set<String> PASSING =
      Set.of(
          "NO_SUCH_TRANSACTION",
          "SNAPSHOT_TOO_OLD",
          "TRANSACTION_EXPIRED",
          "HELD_BY_GROUP",
          "BUSY");

  private final BraidClient client;

  GrpcSessions(String address, String token) {
    this.client =
        BraidClient.connect(
            ClientOptions.of(address).token(token).timeout(PATIENCE).attempts(1000));
  }

  @Override
  public void renew(String table, String protocol, String family) {
    client.dropTable(table);
    client
        .admin()
        .ensureTable(
            EnsureTableRequest.newBuilder()
                .setTable(table)
                .setProtocol(protocol)
                .addFamilies(family)
                .build());
  }

  @Override
  public Transaction begin() {
    return client.begin();
  }

  @Override
  public Snapshot snapshot() {
    return client.snapshot();
  }

  @Override
  public FastSession fast() {
    return client.fast();
  }

  @Override
  public Failure failure(RuntimeException met) {
    if (met instanceof OutcomeUnknownException unknown) {
      return new Lost(() -> outcome(unknown.request()));
    }
    if (met instanceof ConflictException) {
      return new NoEffect(true);
    }
    boolean passing =
        met instanceof UnavailableException
            || (met instanceof RefusedException refused && PASSING.contains(refused.reason()));
    return passing ? new NoEffect(false) : new Defect();
  }

  /**
   * Returns the outcome of a request that may have been carried out. A request that has done
   * nothing so far never will.
   */
  private TransactionOutcome outcome(String request) {
    if (request.isEmpty()) {
      return new TransactionOutcome.Unknown(); // Writes of the fast path with a condition.
    }
    return client
        .settle(request)
        .<TransactionOutcome>map(TransactionOutcome.Committed::new)
        .orElseGet(TransactionOutcome.RolledBack::new);
  }

  @Override
  public void close() {
    client.close();
  }
}
