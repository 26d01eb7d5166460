package io.braid.serving.node;

import java.nio.file.Path;

/** Another process owns the directory of a node. */
public final class NodeLockedException extends RuntimeException {
  NodeLockedException(Path path, String holder) {
    super(
        "Directory "
            + path
            + " is owned by "
            + (holder.isBlank() ? "another process" : holder)
            + ". Stop that process, or ask it over the network.");
  }

  NodeLockedException(String why) {
    super(why);
  }
}
