package io.braid.client;

import io.braid.core.transaction.ConflictException;
import io.braid.rpc.v1.RequestName;
import io.braid.rpc.v1.RequestState;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A request with a name: the server does it once, however often it is sent, and returns its
 * outcome.
 */
final class NamedRequest {
  private final Server server;
  private final String name;

  NamedRequest(Server server, String name) {
    this.server = server;
    this.name = name;
  }

  /**
   * Sends it until its answer comes.
   *
   * @param call gives the commit timestamp
   * @throws OutcomeUnknownException when no answer comes any more
   */
  long done(Supplier<Long> call) {
    boolean lost = false;
    Server.Patience patience = server.patience();
    while (true) {
      try {
        return server.once(call);
      } catch (UnavailableException e) {
        lost |= e.lost();
        if (patience.isOver()) {
          throw lost ? new OutcomeUnknownException(name, e) : e;
        }
        patience.pause(e);
      } catch (RefusedException e) {
        // It may have come after the change; or a copy that the network made has ended it.
        lost |= e.reason().equals("DEFECT") || e.reason().equals("NO_SUCH_TRANSACTION");
        boolean busy = e.reason().equals("BUSY");
        if (!busy || patience.isOver()) {
          return settledAfter(e, lost || busy);
        }
        patience.pause();
      } catch (ConflictException e) {
        return settledAfter(e, lost);
      }
    }
  }

  /**
   * Asks the server's memory for the outcome after a lost answer. A refusal or conflict does not
   * show the outcome of the lost attempt, which may still come to the server.
   */
  private long settledAfter(RuntimeException refusal, boolean lost) {
    if (!lost) {
      throw refusal;
    }
    try {
      return settle().orElseThrow(() -> refusal);
    } catch (RefusedException e) {
      if (e == refusal) {
        throw e;
      }
      throw new OutcomeUnknownException(name, e);
    }
  }

  /**
   * Returns the commit timestamp of the request. If empty, the request has done nothing and never
   * will.
   */
  Optional<Long> settle() {
    RequestName request = RequestName.newBuilder().setRequest(name).build();
    RequestState state = server.again(() -> server.transactions().settleRequest(request));
    return state.getState() == RequestState.State.COMMITTED
        ? Optional.of(state.getCommit())
        : Optional.empty();
  }
}
