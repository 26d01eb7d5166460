package io.braid.omid;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.ManagerClient;
import io.braid.omid.manager.Steps;
import io.braid.omid.manager.TransactionManager;
import io.braid.omid.manager.WriteSet;
import io.braid.testkit.CellText;
import io.braid.testkit.CodecCheckingStore;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.hostile.ScriptedStore;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A store in memory with two tables of eight tablets each, an oracle that counts, a transaction
 * manager, and processes that a test begins and kills. Everything happens on the test's thread;
 * post-commits only when the test says so.
 */
final class Lab {
  static final String TABLE = "t";
  static final Column<String> X = Column.of("f", "x", Codecs.utf8());
  static final Column<String> Y = Column.of("f", "y", Codecs.utf8());

  /** A process dies at a call of the store. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  final Clocks clocks = new Clocks();
  final Steps oracle = new Steps();
  final MemoryStore memory =
      new MemoryStore(
          MemoryOptions.defaults()
              .reach(MemoryStore.Reach.TABLET)
              .splitAt("b", "c", "d", "e", "f", "g", "h"));
  final ScriptedStore store = new ScriptedStore(new CodecCheckingStore(memory));
  final OmidOptions options =
      OmidOptions.defaults().duties(new OmidOptions.Duties(Duration.ofSeconds(30), 1000));
  final LocalTransactionManager manager = new LocalTransactionManager(oracle, 1024);

  Lab() {
    clocks.wallMillis = Timestamp.wallMillis(0);
    for (String table : List.of(TABLE, "u")) {
      memory.ensureTable(Families.transactional(table, List.of("f", "g")));
    }
    memory.advanceClock(oracle.next());
  }

  static Row row(String key) {
    return Row.of(TABLE, key);
  }

  OmidTransactions process(String name) {
    return process(new ManualSeams(clocks, name), options);
  }

  OmidTransactions process(ManualSeams seams, OmidOptions own) {
    return new OmidTransactions(store, manager, oracle, seams, own);
  }

  /** A process that asks the manager from outside: that does not know what is active there. */
  OmidTransactions elsewhere(String name) {
    ManagerClient.Requests requests =
        new ManagerClient.Requests() {
          @Override
          public TransactionManager.Verdict commit(WriteSet writes) {
            return manager.commit(writes);
          }

          @Override
          public long fence(long table) {
            return manager.fence(table);
          }
        };
    return new OmidTransactions(
        store, new ManagerClient(oracle, requests), oracle, new ManualSeams(clocks, name), options);
  }

  /** Commits one value in each of some rows. */
  static long write(OmidTransactions transactions, String value, String... keys) {
    return prepare(transactions, value, keys).commit();
  }

  static Transaction prepare(OmidTransactions transactions, String value, String... keys) {
    Transaction tx = transactions.begin();
    for (String key : keys) {
      tx.set(row(key), X, value);
    }
    return tx;
  }

  /** Commits, and dies before the next call of this procedure. */
  void dieBefore(String process, String procedure, Transaction tx) {
    store
        .on(procedure)
        .before(
            call -> {
              throw new Crash();
            });
    die(process, tx);
  }

  /** Commits, and dies after the next call of this procedure. */
  void dieAfter(String process, String procedure, Transaction tx) {
    store
        .on(procedure)
        .after(
            call -> {
              throw new Crash();
            });
    die(process, tx);
  }

  private void die(String process, Transaction tx) {
    assertThatThrownBy(tx::commit).isInstanceOf(Crash.class);
    clocks.alive.remove(process);
  }

  static Optional<String> read(OmidTransactions transactions, String key) {
    try (Snapshot snapshot = transactions.snapshot()) {
      return snapshot.get(row(key), X);
    }
  }

  /** Entries of the commit table. */
  List<String> entries() {
    return CellText.dump(memory, "~commits");
  }

  /** Tentative cells. */
  List<String> tentative() {
    return CellText.dump(memory, TABLE).stream()
        .filter(line -> line.contains(" ~intent:"))
        .toList();
  }
}
