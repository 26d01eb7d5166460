package io.braid.groups.node;

import io.braid.core.store.TabletUnavailableException;
import org.apiguardian.api.API;

/** A group node does not answer: nothing was done there, or it may be asked again. */
@API(status = API.Status.EXPERIMENTAL)
public class NodeUnreachableException extends TabletUnavailableException {
  NodeUnreachableException(String address, Throwable cause) {
    super(
        "The group node at " + address + " does not answer: is it running? (" + reason(cause) + ")",
        cause);
  }

  /** The end of a connection has no message. */
  private static String reason(Throwable cause) {
    String message = cause.getMessage();
    return message == null ? "it has closed the connection" : message;
  }
}
