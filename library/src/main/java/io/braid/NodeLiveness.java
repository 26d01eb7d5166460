package io.braid;

import io.braid.core.runtime.Liveness;
import java.util.Set;

/**
 * The liveness of one of several group nodes within a process: its token is that of the process and
 * its own name. It is alive as long as the process is, and it has not ended before.
 *
 * @param name empty for the process itself
 * @param ended the tokens of the nodes of this process that have ended
 */
record NodeLiveness(Liveness process, String name, Set<String> ended) implements Liveness {
  private static final String SEPARATOR = "/";

  @Override
  public String token() {
    return name.isEmpty() ? process.token() : process.token() + SEPARATOR + name;
  }

  @Override
  public boolean isAlive(String token) {
    int separator = token.indexOf(SEPARATOR);
    String of = separator < 0 ? token : token.substring(0, separator);
    return process.isAlive(of) && !ended.contains(token);
  }
}
