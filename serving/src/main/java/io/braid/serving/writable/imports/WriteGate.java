package io.braid.serving.writable.imports;

import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.writable.imports.ImportState.Phase;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which of the two ways into a read-write store is open at a node: writes or an import (Hadoop on
 * PNUTS, section 6.2). Every change is durable before it counts. Invariants:
 *
 * <ul>
 *   <li>No new write is under way while tuples are imported, and no tuples are imported while new
 *       writes are taken. A change waits, by refusing, until the node is idle.
 *   <li>Writes that another node took before it refused new ones are stored at any time. A write is
 *       new at the replica that is the first to take it.
 *   <li>Imports of a store are numbered upwards: a late message cannot restart an import that is
 *       over.
 *   <li>After a restart tuples are taken only when the importer has begun again. So an importer
 *       that does not know yet that the import was given up sends the node nothing.
 * </ul>
 */
public final class WriteGate {
  private final String store;
  private final ImportKeeper keeper;
  private @Nullable ImportState state;
  private boolean begun;
  private int writes;
  private int batches;

  public WriteGate(String store, ImportKeeper keeper) throws IOException {
    this.store = store;
    this.keeper = keeper;
    this.state = keeper.read().orElse(null);
  }

  /** The last import that this node knows of. */
  public synchronized Optional<ImportState> state() {
    return Optional.ofNullable(state);
  }

  /**
   * Runs a write that no node took before this one.
   *
   * @throws ServingException {@code WRITES_REFUSED} while an import runs; nothing was written then
   */
  public <T> T write(Supplier<T> write) {
    enterWrite();
    try {
      return write.get();
    } finally {
      leaveWrite();
    }
  }

  private synchronized void enterWrite() {
    refuseWhileRunning();
    writes++;
  }

  private synchronized void leaveWrite() {
    writes--;
  }

  /** Refuses what must not happen while an import runs. */
  public synchronized void refuseWhileRunning() {
    ImportState now = state;
    if (now != null && now.isRunning()) {
      throw new ServingException(
          ErrorCode.WRITES_REFUSED,
          "Store "
              + store
              + " takes no writes until import "
              + now.id()
              + " has ended, which began at "
              + Instant.ofEpochMilli(now.begun())
              + ". Try again then. If it does not run any more: 'braid store import "
              + store
              + " --id "
              + now.id()
              + "' with its input goes on with it, with --abort gives it up.");
    }
  }

  /** Tuples of an import; it takes them, or throws before it has taken any. */
  public void take(ImportState ticket, Runnable batch) {
    enterBatch(ticket);
    try {
      batch.run();
    } finally {
      leaveBatch();
    }
  }

  private synchronized void enterBatch(ImportState ticket) {
    ImportState now = running(ticket);
    if (now.phase() != Phase.IMPORTING || !begun) {
      throw refused(now, "takes no tuples here now. Run it again.");
    }
    batches++;
  }

  private synchronized void leaveBatch() {
    batches--;
  }

  /** Takes no new writes from now on. */
  public synchronized void refuse(ImportState ticket) throws IOException {
    ImportState now = state;
    if (now != null && now.isRunning()) {
      running(ticket);
      return;
    }
    if (now != null && ticket.number() <= now.number()) {
      throw refused(now, "has ended here, so that import " + ticket.number() + " comes too late.");
    }
    change(ticket, Phase.REFUSING);
  }

  /** Refuses to go on as long as the node works on what it took before. */
  public synchronized void requireIdle(ImportState ticket) {
    ImportState now = running(ticket);
    if (now.phase() != Phase.REFUSING && now.phase() != Phase.ENDING) {
      throw refused(now, "is further here than that.");
    }
    idle();
  }

  private void idle() {
    if (writes + batches > 0) {
      throw new ServingException(
          ErrorCode.IMPORT_BUSY, "Writes of store " + store + " are under way.");
    }
  }

  /** Takes tuples of the import from now on. All nodes refuse writes and agree. */
  public synchronized void begin(ImportState ticket) throws IOException {
    ImportState now = running(ticket);
    if (now.phase() == Phase.REFUSING) {
      idle();
      change(now, Phase.IMPORTING);
    } else if (now.phase() != Phase.IMPORTING) {
      throw refused(now, "is over here.");
    }
    begun = true;
  }

  /** Takes no tuples any more: all of them are at all nodes. */
  public synchronized void lock(ImportState ticket) throws IOException {
    ImportState now = mine(ticket);
    switch (now.phase()) {
      case IMPORTING -> {
        idle();
        change(now, Phase.LOCKED);
      }
      case LOCKED, DONE -> {}
      default -> throw refused(now, "is not being imported here.");
    }
  }

  /** Takes writes again. All nodes are locked. */
  public synchronized void open(ImportState ticket) throws IOException {
    ImportState now = mine(ticket);
    switch (now.phase()) {
      case LOCKED -> change(now, Phase.DONE);
      case DONE -> {}
      default -> throw refused(now, "is not locked here.");
    }
  }

  /** Takes no tuples any more, as the import is given up. */
  public synchronized void end(ImportState ticket) throws IOException {
    if (isNew(ticket)) {
      // A late request to refuse writes may still come.
      change(ticket, Phase.GIVEN_UP);
      return;
    }
    ImportState now = mine(ticket);
    if (now.isRunning()) {
      idle();
      change(now, Phase.ENDING);
    }
  }

  /** Takes writes again. No node takes tuples any more, or none ever has. */
  public synchronized void giveUp(ImportState ticket) throws IOException {
    if (isNew(ticket)) {
      change(ticket, Phase.GIVEN_UP);
      return;
    }
    ImportState now = mine(ticket);
    switch (now.phase()) {
      case REFUSING, ENDING -> change(now, Phase.GIVEN_UP);
      case DONE, GIVEN_UP -> {}
      default -> throw refused(now, "is going on here.");
    }
  }

  /** Learns of imports that other nodes know of: this one has come to its tuples since. */
  public synchronized void learn(ImportState last) throws IOException {
    if (isNew(last)) {
      keeper.write(last);
      state = last;
    }
  }

  private boolean isNew(ImportState ticket) {
    ImportState now = state;
    return now == null || (!now.isRunning() && now.number() < ticket.number());
  }

  private void change(ImportState ticket, Phase phase) throws IOException {
    ImportState last = state;
    ImportState next = ticket.in(phase);
    if (last != null) {
      next = last.isOf(ticket) ? last.in(phase) : next.after(last);
    }
    keeper.write(next);
    state = next;
  }

  private ImportState mine(ImportState ticket) {
    ImportState now = state;
    if (now == null || !now.isOf(ticket)) {
      throw new ServingException(
          ErrorCode.IMPORT_REFUSED,
          "This node takes no part in import "
              + ticket.id()
              + " of store "
              + store
              + (now == null ? "." : ", but in " + now.id() + "."));
    }
    return now;
  }

  private ImportState running(ImportState ticket) {
    ImportState now = mine(ticket);
    if (!now.isRunning()) {
      throw refused(now, "has ended here.");
    }
    return now;
  }

  private ServingException refused(ImportState now, String why) {
    return new ServingException(
        ErrorCode.IMPORT_REFUSED, "Import " + now.id() + " of store " + store + " " + why);
  }
}
