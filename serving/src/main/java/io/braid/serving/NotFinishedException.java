package io.braid.serving;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A push, an import or a rebalancing did not come to its end.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class NotFinishedException extends BraidException {
  private final long version;
  private final List<String> unsettled;

  public NotFinishedException(String message, List<String> unsettled) {
    this(message, 0, unsettled);
  }

  /**
   * @param version of a push; 0: none was swapped anywhere
   */
  public NotFinishedException(String message, long version, List<String> unsettled) {
    super(unsettled.isEmpty() ? ErrorCode.NOT_FINISHED : ErrorCode.OUTCOME_UNKNOWN, message);
    this.version = version;
    this.unsettled = List.copyOf(unsettled);
  }

  /** The version that could not be swapped in everywhere; 0 when no node was asked to. */
  public long version() {
    return version;
  }

  /**
   * Returns the nodes that a later call must settle: of a push, those where it is unknown whether
   * the version is live, none when the old versions are live everywhere; of an import, those that
   * may go on refusing writes; of a rebalancing, those that go on refusing fetches and swaps.
   */
  public List<String> unsettled() {
    return unsettled;
  }
}
