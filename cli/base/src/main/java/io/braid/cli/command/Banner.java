package io.braid.cli.command;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** The text that a listening process prints: its addresses, their users, and what to type next. */
public final class Banner {
  private final StringBuilder text;
  private final Map<String, String> doors = new LinkedHashMap<>();

  public Banner(String what) {
    this.text = new StringBuilder(what);
  }

  /** Something listens at an address. */
  public Banner door(String at, String forWhom) {
    doors.put(at, forWhom);
    return this;
  }

  /** The doors, each in a line, then what to do with them. */
  public String then(String... lines) {
    int width = doors.keySet().stream().mapToInt(String::length).max().orElse(0);
    doors.forEach(
        (at, forWhom) ->
            text.append(String.format("%n  %-" + Math.max(1, width) + "s  %s", at, forWhom)));
    for (String line : lines) {
      text.append(String.format("%n%s", line));
    }
    return text.toString();
  }

  /** Describes the machines that reach a process that listens at an address. */
  public static String reach(InetSocketAddress at) {
    return at.getAddress().isLoopbackAddress()
        ? "for this machine only"
        : at.getAddress().isAnyLocalAddress()
            ? "for all machines that reach this one"
            : "for all machines that reach " + host(at);
  }

  public static String text(InetSocketAddress at) {
    return host(at) + ":" + at.getPort();
  }

  private static String host(InetSocketAddress at) {
    String host = at.getAddress().getHostAddress();
    return host.contains(":") ? "[" + host + "]" : host;
  }
}
