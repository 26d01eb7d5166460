package io.braid.gateway.access;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What one request needed: roles on tables and stores, each once. So the audit log can name the
 * tables of a script of operations, which its path does not. Safe for many threads.
 */
public final class Needs implements Consumer<Grant> {
  /** More are not kept, only that there are more. */
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

  /** As text, as {@link Grant} has it; a last {@code ...} says that there are more. */
  public synchronized List<String> all() {
    Set<String> told = new LinkedHashSet<>(all);
    if (more) {
      told.add("...");
    }
    return List.copyOf(told);
  }
}
