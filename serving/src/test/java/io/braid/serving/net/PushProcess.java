package io.braid.serving.net;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import java.util.ArrayList;
import java.util.List;

/** A push in a process of its own: store, id, where from, version, addresses of the nodes. */
final class PushProcess {
  private PushProcess() {}

  public static void main(String[] args) {
    List<HttpNode> nodes = new ArrayList<>();
    for (int i = 4; i < args.length; i++) {
      nodes.add(new HttpNode(i - 4, args[i], ""));
    }
    PushPlan plan = PushPlan.of(args[0], args[1], args[2]).version(Long.parseLong(args[3]));
    new Push(new SystemSeams(), nodes, plan, (step, done, total) -> {}).run();
  }
}
