package io.braid.http;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges that wait for their clients: requests that are not complete, and answers that their
 * clients have not taken. No thread waits, but each of them holds memory for as long as the client
 * likes. So there are bounds, and the connection of one of them is cut off when a bound is reached:
 *
 * <ul>
 *   <li>Requests have too many bytes: the choice falls on the identity with most bytes, among its
 *       addresses on the one with most, and there on the request that began first.
 *   <li>Answers have too many bytes: of the connections with at least as many as the average, the
 *       one that has taken nothing for the longest time.
 *   <li>There are too many of them: the connection with most of them, and among those the one that
 *       began first.
 *   <li>One takes too long.
 * </ul>
 *
 * <p>The only one that has bytes is not cut off: its length has a bound of its own.
 */
final class ClientWaits {
  private final Bounds bounds;
  private final Set<Wait> requests = new LinkedHashSet<>(); // that which began first comes first
  private final Map<Connection, Untaken> answers = new LinkedHashMap<>();
  private long requestBytes;
  private long answerBytes;
  private int count;
  private long cutOff;
  private long begun;
  private long turn;

  /**
   * How much the server holds for clients.
   *
   * @param count requests and answers at a time
   * @param requests bytes of all requests
   * @param answers bytes of all answers
   * @param each bytes of the answers of one connection, before further requests are refused
   * @param requestTurns how long a request may take to come in, in calls of {@link #look}
   * @param answerTurns how long an answer may take to be taken
   */
  record Bounds(
      int count, long requests, long answers, long each, long requestTurns, long answerTurns) {}

  /** The answers of one connection that it has not taken. */
  private static final class Untaken {
    private final Set<Wait> all = new LinkedHashSet<>();
    private long bytes;
  }

  ClientWaits(Bounds bounds) {
    this.bounds = bounds;
  }

  /** One request that is not complete, or one answer that is not taken. */
  final class Wait {
    private final Connection connection;
    private final Supplier<String> whose;
    private final boolean request;
    private final long since = turn;
    private final long number = begun++;
    private long bytes;
    private @Nullable String identity;
    private boolean running;
    private boolean complete;
    private boolean ended;

    private Wait(Connection connection, Supplier<String> whose, boolean request) {
      this.connection = connection;
      this.whose = whose;
      this.request = request;
    }

    private String whose() {
      String found = identity;
      if (found == null) {
        found = whose.get();
        identity = found;
      }
      return found;
    }

    /** More of the request has come in. */
    void add(long more) {
      synchronized (ClientWaits.this) {
        if (!ended) {
          bytes += more;
          requestBytes += more;
          makeRoom();
        }
      }
    }

    /** The request is complete. Its bytes count until its work begins. */
    void complete() {
      synchronized (ClientWaits.this) {
        if (!ended && !complete) {
          complete = true;
          count--;
        }
      }
    }

    /** The work on the request begins, or the answer is taken; or the client has gone. */
    void end() {
      synchronized (ClientWaits.this) {
        if (!ended) {
          ended = true;
          count -= complete ? 0 : 1;
          forget();
        }
      }
    }

    private void forget() {
      if (request) {
        requests.remove(this);
        requestBytes -= bytes;
        return;
      }
      answerBytes -= bytes;
      Untaken of = answers.remove(connection);
      if (of != null) {
        of.bytes -= bytes;
        of.all.remove(this);
        if (!of.all.isEmpty()) {
          answers.put(connection, of); // it has taken something: it comes last now
        }
      }
    }
  }

  /**
   * Begins to wait for a request.
   *
   * @param running whether it counts among the running requests: its headers are complete
   * @param whose finds the identity of the client
   */
  synchronized Wait request(Connection connection, boolean running, Supplier<String> whose) {
    Wait wait = new Wait(connection, whose, true);
    wait.running = running;
    requests.add(wait);
    count++;
    makeRoom();
    return wait;
  }

  /** Begins to wait for a client to take an answer. */
  synchronized Wait answer(Connection connection, long bytes) {
    Wait wait = new Wait(connection, () -> "", false);
    Untaken of = answers.computeIfAbsent(connection, key -> new Untaken());
    wait.bytes = bytes;
    of.all.add(wait);
    of.bytes += bytes;
    answerBytes += bytes;
    count++;
    makeRoom();
    return wait;
  }

  Bounds bounds() {
    return bounds;
  }

  /** Returns the bytes of the answers that one connection has not taken. */
  synchronized long answerBytes(Connection connection) {
    Untaken of = answers.get(connection);
    return of == null ? 0 : of.bytes;
  }

  /** Returns the bytes of the requests of one identity that are not complete. */
  synchronized long requestBytes(String whose) {
    return requests.stream()
        .filter(each -> each.whose().equals(whose))
        .mapToLong(each -> each.bytes)
        .sum();
  }

  private void makeRoom() {
    while (requestBytes > bounds.requests()) {
      Optional<Wait> next = nextRequest();
      if (next.isEmpty()) {
        break;
      }
      cut(next.get());
    }
    while (answerBytes > bounds.answers() && answers.size() > 1) {
      cut(nextAnswer());
    }
    if (count > bounds.count()) {
      cut(first());
    }
  }

  /** Returns the first answer of the connection that has to make room. */
  private Wait nextAnswer() {
    long average = answerBytes / answers.size();
    return answers.values().stream()
        .filter(each -> each.bytes >= average)
        .findFirst()
        .map(each -> each.all.iterator().next())
        .orElseThrow();
  }

  /** Returns the first request of the address with most bytes, of the identity with most bytes. */
  private Optional<Wait> nextRequest() {
    Map<String, Long> ofIdentity = new HashMap<>();
    Map<List<String>, Long> ofAddress = new HashMap<>();
    Map<Wait, List<String>> places = new LinkedHashMap<>();
    for (Wait each : requests) {
      if (each.bytes > 0) {
        List<String> place = List.of(each.whose(), each.connection.host());
        places.put(each, place);
        ofIdentity.merge(place.get(0), each.bytes, Long::sum);
        ofAddress.merge(place, each.bytes, Long::sum);
      }
    }
    if (places.size() < 2) {
      return Optional.empty();
    }
    return places.entrySet().stream()
        .min(
            Comparator.<Map.Entry<Wait, List<String>>>comparingLong(
                    each -> -ofIdentity.getOrDefault(each.getValue().get(0), 0L))
                .thenComparingLong(each -> -ofAddress.getOrDefault(each.getValue(), 0L)))
        .map(Map.Entry::getKey);
  }

  /** Returns the first wait of the connection with most of them. */
  private Wait first() {
    Map<Connection, List<Wait>> all =
        Stream.concat(
                requests.stream().filter(each -> !each.complete),
                answers.values().stream().flatMap(each -> each.all.stream()))
            .sorted(Comparator.comparingLong(each -> each.number))
            .collect(Collectors.groupingBy(each -> each.connection));
    return all.values().stream()
        .min(
            Comparator.<List<Wait>>comparingInt(each -> -each.size())
                .thenComparingLong(each -> each.get(0).number))
        .map(each -> each.get(0))
        .orElseThrow();
  }

  /** Cuts off the connection of a wait, which ends all waits of that connection. */
  private void cut(Wait wait) {
    cutOff++;
    Connection connection = wait.connection;
    Untaken untaken = answers.get(connection);
    if (untaken != null) {
      List.copyOf(untaken.all).forEach(Wait::end);
    }
    requests.stream().filter(each -> each.connection == connection).toList().forEach(Wait::end);
    connection.cut();
  }

  /** Cuts off those that take too long; to be called at a fixed rate. */
  synchronized void look() {
    turn++;
    requests.stream()
        .filter(each -> !each.complete && turn - each.since > bounds.requestTurns())
        .toList()
        .forEach(this::cutLate);
    answers.values().stream()
        .flatMap(each -> each.all.stream())
        .filter(each -> turn - each.since > bounds.answerTurns())
        .toList()
        .forEach(this::cutLate);
  }

  private void cutLate(Wait wait) {
    if (!wait.ended) {
      cut(wait);
    }
  }

  /** Returns how many of the running requests are not complete. */
  synchronized int gathering() {
    return (int) requests.stream().filter(each -> each.running && !each.complete).count();
  }

  /** Returns how many requests and answers the server waits for. */
  synchronized int count() {
    return count;
  }

  /** Returns the bytes of all requests that are not complete. */
  synchronized long requestBytes() {
    return requestBytes;
  }

  /** Returns the bytes of all answers that are not taken. */
  synchronized long answerBytes() {
    return answerBytes;
  }

  /** Returns how many connections were cut off. */
  synchronized long cutOff() {
    return cutOff;
  }
}
