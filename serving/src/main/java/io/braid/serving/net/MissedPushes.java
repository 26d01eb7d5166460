package io.braid.serving.net;

import io.braid.serving.node.Missed;
import java.io.IOException;
import java.util.Map;

/** How a node asks the others of its cluster who missed a push. */
public interface MissedPushes {
  /**
   * Who missed the last pushes of the stores of a node, by store.
   *
   * @param address of that node
   * @throws IOException when it cannot be reached
   * @throws io.braid.serving.client.ReplicaFailedException when it answered that it cannot tell
   */
  Map<String, Missed> of(String address) throws IOException;
}
