package io.braid.server.coordination;

import io.braid.core.runtime.Liveness;
import java.util.List;

/**
 * One process's membership among those that share a database. Implementing classes must comply with
 * the following:
 *
 * <ul>
 *   <li>{@link #liveness}: all others see the token of a process from the opening until the process
 *       closes or has been dead for some seconds. A process whose state cannot be queried counts as
 *       alive.
 *   <li>{@link #register register}: all processes see the same registers. A replacement happens at
 *       one instant, and only if no other process was first.
 *   <li>Nothing here holds data of the database: a coordination service that lost everything makes
 *       processes wait for each other, and loses no timestamp and no write.
 * </ul>
 */
public interface Coordination extends AutoCloseable {
  Liveness liveness();

  /** A register by its name, which has letters and dashes only. */
  Register register(String name);

  /** The processes that are alive, in the order of their tokens. */
  List<Member> members();

  /** Takes the token back. */
  @Override
  void close();
}
