package io.braid.groups.node;

import io.braid.groups.GroupException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A group node does not let this process in, or is none that it trusts. Asking again is no use. */
@API(status = API.Status.EXPERIMENTAL)
public final class NodeRefusedException extends GroupException {
  private static final long serialVersionUID = 1;

  public NodeRefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
