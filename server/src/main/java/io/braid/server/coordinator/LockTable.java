package io.braid.server.coordinator;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Advisory locks: they end with the session that took them, and with the office. */
final class LockTable {
  private record Held(Object session, String owner) {}

  private final Map<String, Held> held = new ConcurrentHashMap<>();

  boolean tryLock(Object session, String name, String owner) {
    return held.putIfAbsent(name, new Held(session, owner)) == null;
  }

  void unlock(String name, String owner) {
    held.computeIfPresent(name, (each, lock) -> lock.owner.equals(owner) ? null : lock);
  }

  void end(Object session) {
    held.values().removeIf(lock -> lock.session == session);
  }
}
