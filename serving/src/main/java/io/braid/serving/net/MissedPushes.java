package io.braid.serving.net;

import io.braid.serving.node.MissedPush;
import java.io.IOException;
import java.util.Map;

/** How a node asks the others of its cluster who missed a push. */
public interface MissedPushes {
  /**
   * Returns which nodes missed the last pushes of the stores of a node, by store.
   *
   * @param address of the node to ask
   * @throws IOException when the node cannot be reached
   * @throws io.braid.serving.client.ReplicaFailedException when the node answered that it cannot
   *     tell
   */
  Map<String, MissedPush> of(String address) throws IOException;
}
