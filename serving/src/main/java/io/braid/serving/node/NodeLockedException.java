package io.braid.serving.node;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * Another process owns the directory of a node.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class NodeLockedException extends BraidException {
  NodeLockedException(Path path, String holder) {
    super(
        "Directory "
            + path
            + " is owned by "
            + (holder.isBlank() ? "another process" : holder)
            + ". Stop that process, or ask it over the network.");
  }

  NodeLockedException(String why) {
    super(why);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.LOCKED;
  }
}
