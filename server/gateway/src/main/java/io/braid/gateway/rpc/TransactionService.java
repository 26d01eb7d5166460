package io.braid.gateway.rpc;

import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.TransactionOutcome.Committed;
import io.braid.core.transaction.TransactionOutcome.RolledBack;
import io.braid.core.transaction.TransactionOutcome.Undecided;
import io.braid.gateway.api.TransactionCalls;
import io.braid.gateway.transactions.OpenTransactions.BegunTransaction;
import io.braid.rpc.v1.BeginRequest;
import io.braid.rpc.v1.BeginResponse;
import io.braid.rpc.v1.CommitRequest;
import io.braid.rpc.v1.CommitResponse;
import io.braid.rpc.v1.GetOutcomeRequest;
import io.braid.rpc.v1.GetOutcomeResponse;
import io.braid.rpc.v1.GetOutcomeResponse.Outcome;
import io.braid.rpc.v1.OperateRequest;
import io.braid.rpc.v1.OperateResponse;
import io.braid.rpc.v1.RequestName;
import io.braid.rpc.v1.RequestState;
import io.braid.rpc.v1.RequestState.State;
import io.braid.rpc.v1.RollBackRequest;
import io.braid.rpc.v1.RollBackResponse;
import io.braid.rpc.v1.RunRequest;
import io.braid.rpc.v1.RunResponse;
import io.braid.rpc.v1.TransactionsGrpc;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;

/** Transactions over gRPC. */
final class TransactionService extends TransactionsGrpc.TransactionsImplBase {
  private final Calls calls;
  private final TransactionCalls transactions;
  private final Messages messages;

  TransactionService(Calls calls, TransactionCalls transactions, Messages messages) {
    this.calls = calls;
    this.transactions = transactions;
    this.messages = messages;
  }

  private static Optional<String> name(String request) {
    return Optional.of(request).filter(each -> !each.isEmpty());
  }

  @Override
  public void run(RunRequest request, StreamObserver<RunResponse> out) {
    calls.unary(
        TransactionsGrpc.getRunMethod(),
        out,
        identity -> {
          TransactionCalls.CommitReply done =
              transactions.run(
                  identity,
                  messages.someOperations(request.getOperationsList()),
                  name(request.getRequest()));
          RunResponse.Builder answer =
              RunResponse.newBuilder().setCommit(done.commit()).setDoneBefore(done.before());
          done.results().ifPresent(results -> answer.addAllResults(Messages.results(results)));
          return answer.build();
        });
  }

  @Override
  public void begin(BeginRequest request, StreamObserver<BeginResponse> out) {
    calls.unary(
        TransactionsGrpc.getBeginMethod(),
        out,
        identity -> {
          long lease = request.getLeaseMillis();
          if (lease < 0) {
            throw new IllegalArgumentException("A lease is not negative.");
          }
          BegunTransaction begun =
              transactions.begin(
                  identity, lease == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(lease)));
          return BeginResponse.newBuilder()
              .setTransaction(begun.id())
              .setStart(begun.start())
              .setLeaseMillis(begun.lease().toMillis())
              .build();
        });
  }

  @Override
  public void operate(OperateRequest request, StreamObserver<OperateResponse> out) {
    calls.unary(
        TransactionsGrpc.getOperateMethod(),
        out,
        identity ->
            OperateResponse.newBuilder()
                .addAllResults(
                    Messages.results(
                        transactions.operate(
                            identity,
                            request.getTransaction(),
                            messages.someOperations(request.getOperationsList()),
                            request.getStep())))
                .build());
  }

  @Override
  public void commit(CommitRequest request, StreamObserver<CommitResponse> out) {
    calls.unary(
        TransactionsGrpc.getCommitMethod(),
        out,
        identity -> {
          TransactionCalls.CommitReply done =
              transactions.commit(
                  identity,
                  request.getTransaction(),
                  messages.operations(request.getOperationsList()),
                  name(request.getRequest()));
          return CommitResponse.newBuilder()
              .setCommit(done.commit())
              .setDoneBefore(done.before())
              .build();
        });
  }

  @Override
  public void rollBack(RollBackRequest request, StreamObserver<RollBackResponse> out) {
    calls.unary(
        TransactionsGrpc.getRollBackMethod(),
        out,
        identity -> {
          transactions.rollBack(identity, request.getTransaction());
          return RollBackResponse.getDefaultInstance();
        });
  }

  @Override
  public void getOutcome(GetOutcomeRequest request, StreamObserver<GetOutcomeResponse> out) {
    calls.unary(
        TransactionsGrpc.getGetOutcomeMethod(),
        out,
        identity -> {
          TransactionOutcome outcome = transactions.outcome(identity, request.getTransaction());
          GetOutcomeResponse.Builder answer = GetOutcomeResponse.newBuilder();
          if (outcome instanceof Committed committed) {
            answer.setCommit(committed.commitTimestamp());
          }
          return answer.setOutcome(outcome(outcome)).build();
        });
  }

  private static Outcome outcome(TransactionOutcome outcome) {
    if (outcome instanceof Committed) {
      return Outcome.COMMITTED;
    }
    if (outcome instanceof RolledBack) {
      return Outcome.ROLLED_BACK;
    }
    return outcome instanceof Undecided ? Outcome.UNDECIDED : Outcome.UNKNOWN;
  }

  @Override
  public void getRequest(RequestName request, StreamObserver<RequestState> out) {
    calls.unary(
        TransactionsGrpc.getGetRequestMethod(),
        out,
        identity ->
            state(
                transactions
                    .find(identity, request.getRequest())
                    .map(TransactionCalls.CommitReply::commit),
                State.NOTHING_YET));
  }

  @Override
  public void settleRequest(RequestName request, StreamObserver<RequestState> out) {
    calls.unary(
        TransactionsGrpc.getSettleRequestMethod(),
        out,
        identity -> state(transactions.settle(identity, request.getRequest()), State.NEVER));
  }

  private static RequestState state(Optional<Long> commit, State otherwise) {
    return commit
        .map(at -> RequestState.newBuilder().setState(State.COMMITTED).setCommit(at).build())
        .orElseGet(() -> RequestState.newBuilder().setState(otherwise).build());
  }
}
