package io.braid.groups.protocol;

import org.apiguardian.api.API;

/**
 * The guarantees of the network, which decide the variant of the protocol.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public enum Messaging {
  /** No message is lost, repeated or overtaken (section 4.1): J, JA and D. */
  RELIABLE,
  /** Anything may happen to a message (section 4.2): J, JA, JAA, D and DA, with retries. */
  UNRELIABLE;

  /** Returns the name in the records of nodes. */
  public String word() {
    return this == RELIABLE ? "requests" : "datagrams";
  }
}
