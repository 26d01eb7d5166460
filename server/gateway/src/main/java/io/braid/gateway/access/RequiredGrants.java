package io.braid.gateway.access;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The needs of one request: roles on tables and stores, each once. With them, the audit log can
 * name the tables of a script of operations, which the path of the request does not show. Safe for
 * many threads.
 */
public final class RequiredGrants implements Consumer<Grant> {
  /** The most needs that are kept; beyond them, the object only knows that there are more. */
  static final int MOST = 100;

  private final Set<String> all = new LinkedHashSet<>();
  private boolean more;

  @Override
  public synchronized void accept(Grant need) {
    if (all.size() < MOST) {
      all.add(need.toString());
    } else {
      more |= !all.contains(need.toString());
    }
  }

  /**
   * Returns the needs as text, in the form of {@link Grant}; a last {@code ...} says that there are
   * more.
   */
  public synchronized List<String> all() {
    Set<String> told = new LinkedHashSet<>(all);
    if (more) {
      told.add("...");
    }
    return List.copyOf(told);
  }
}
