package io.braid.groups.protocol;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The reaction of a node to a message, in this order: log, then send and notify. Nothing may be
 * sent before the log is durable: a message must not report a change that a crash can undo.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Actions {
  private final List<Transition> log = new ArrayList<>();
  private final List<Envelope> send = new ArrayList<>();
  private final List<Notice> notices = new ArrayList<>();

  Actions() {}

  void log(Transition transition) {
    log.add(transition);
  }

  void send(String from, String to, Message message) {
    send.add(new Envelope(from, to, message));
  }

  void tell(Notice notice) {
    notices.add(notice);
  }

  public List<Transition> log() {
    return log;
  }

  public List<Envelope> send() {
    return send;
  }

  public List<Notice> notices() {
    return notices;
  }
}
