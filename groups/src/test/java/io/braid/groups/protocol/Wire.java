package io.braid.groups.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Nodes, their logs, and a network on which a test decides what arrives when. */
final class Wire {
  final Map<String, ProtocolNode> nodes = new TreeMap<>();
  final Map<String, List<Transition>> logs = new TreeMap<>();
  final Deque<Envelope> underWay = new ArrayDeque<>();
  final List<String> sent = new ArrayList<>();
  final List<Notice> notices = new ArrayList<>();

  ProtocolNode node(String name) {
    return Objects.requireNonNull(nodes.get(name), name);
  }

  List<Transition> log(String name) {
    return Objects.requireNonNull(logs.get(name), name);
  }

  void add(ProtocolNode node) {
    nodes.put(node.name(), node);
    logs.put(node.name(), new ArrayList<>());
  }

  void perform(String node, Actions actions) {
    // What is logged comes back as it was, and so does what is sent.
    for (Transition each : actions.log()) {
      log(node).add(Transition.decode(each.encode()));
    }
    for (Envelope each : actions.send()) {
      Message message = Message.decode(each.message().encode());
      underWay.add(new Envelope(each.from(), each.to(), message));
      sent.add(each.from() + " " + message.sign() + " " + each.to());
    }
    notices.addAll(actions.notices());
  }

  /** The oldest message of a kind leaves the network. */
  Envelope take(String sign) {
    for (Envelope each : underWay) {
      if (each.message().sign().equals(sign)) {
        underWay.remove(each);
        return each;
      }
    }
    throw new AssertionError("No " + sign + " is under way: " + underWay);
  }

  void deliver(Envelope envelope) {
    Actions actions = ProtocolNode.actions();
    node(envelope.to()).receive(envelope, actions);
    perform(envelope.to(), actions);
  }

  void deliverAll() {
    while (!underWay.isEmpty()) {
      deliver(underWay.remove());
    }
  }

  /** Time passes at a node. */
  void tick(String node, long nanos) {
    Actions actions = ProtocolNode.actions();
    node(node).tick(nanos, actions);
    perform(node, actions);
  }

  /** A node dies and comes back from its log. */
  void restart(ProtocolNode fresh) {
    Actions actions = ProtocolNode.actions();
    fresh.recover(log(fresh.name()), actions);
    nodes.put(fresh.name(), fresh);
    perform(fresh.name(), actions);
  }

  <T extends Notice> List<T> notices(Class<T> kind) {
    return notices.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
