package io.braid.server.coordinator;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Advisory locks: they end with the session that took them, and with the leadership. Their memory
 * is bounded: when there is no room for one it is not taken.
 */
final class LockTable {
  private static final long MOST_BYTES = 16 << 20;
  private static final int OVERHEAD = 128;

  private record HeldLock(Object session, String owner) {}

  private final Map<String, HeldLock> held = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  boolean tryLock(Object session, String name, String owner) {
    long size = size(name, owner);
    if (bytes.addAndGet(size) <= MOST_BYTES
        && held.putIfAbsent(name, new HeldLock(session, owner)) == null) {
      return true;
    }
    bytes.addAndGet(-size);
    return false;
  }

  void unlock(String name, String owner) {
    HeldLock lock = held.get(name);
    if (lock != null && lock.owner.equals(owner)) {
      free(name, lock);
    }
  }

  void end(Object session) {
    held.forEach(
        (name, lock) -> {
          if (lock.session == session) {
            free(name, lock);
          }
        });
  }

  private void free(String name, HeldLock lock) {
    if (held.remove(name, lock)) {
      bytes.addAndGet(-size(name, lock.owner));
    }
  }

  private static long size(String name, String owner) {
    return 2L * (name.length() + owner.length()) + OVERHEAD;
  }
}
