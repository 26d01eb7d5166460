package io.braid.lab.model;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Transaction;
import io.braid.lab.model.Model.Cell;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A transaction that a program has open, and what the model knows of it. */
final class OpenTransaction {
  final Transaction tx;
  final long start;
  final Map<String, Long> lives = new TreeMap<>();
  final Map<Cell, Optional<String>> writes = new LinkedHashMap<>();
  final Set<Cell> locks = new HashSet<>();
  final Set<String> tried = new HashSet<>(); // tables that it wanted to write
  boolean uncertain; // it has written a table that is gone
  @Nullable Protocol protocol; // null: it has written nothing yet

  /** Whether the transaction is one of a client: it cannot query an index. */
  final boolean remote;

  OpenTransaction(Transaction tx, boolean remote, Model model) {
    this.tx = tx;
    this.remote = remote;
    this.start = tx.timestamp();
    model.tables.forEach((name, table) -> lives.put(name, table.life));
  }

  /** Whether a table is the one that was there when it began. */
  boolean knows(Model model, String table) {
    return model.life(table) != 0 && lives.getOrDefault(table, 0L) == model.life(table);
  }

  /** A client sends what is written with the next thing that it reads. */
  void flush(Row row, Column<?> column) {
    if (remote) {
      tx.get(row, column);
    }
  }

  /** A write was refused: a client can do nothing but roll back then. */
  void refused(Run run) {
    if (remote) {
      tx.rollback();
      run.open.remove(this);
    }
  }

  Set<Cell> touched() {
    Set<Cell> all = new HashSet<>(locks);
    all.addAll(writes.keySet());
    return all;
  }

  Set<Optional<String>> visible(Model model, Cell cell) {
    Optional<String> own = writes.get(cell);
    return own == null ? model.visible(cell, start) : Set.of(own);
  }
}
