package io.braid.spark;

import io.braid.Braid;
import io.braid.SharedBraid;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The databases that this process works with. Each stays open from its first use until the process
 * ends or {@link #closeAll} is called, since tasks come and go.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Databases {
  private static final Map<String, SharedBraid> OPEN = new TreeMap<>();
  private static boolean hooked;

  private Databases() {}

  static Braid get(String where) {
    synchronized (OPEN) {
      if (!hooked) {
        hooked = true;
        Runtime.getRuntime().addShutdownHook(new Thread(Databases::closeAll, "braid-close"));
      }
      return OPEN.computeIfAbsent(where, SharedBraid::of).db();
    }
  }

  /** Closes all, for other processes; to be called when no query runs. */
  public static void closeAll() {
    synchronized (OPEN) {
      OPEN.values().forEach(SharedBraid::close);
      OPEN.clear();
    }
  }
}
