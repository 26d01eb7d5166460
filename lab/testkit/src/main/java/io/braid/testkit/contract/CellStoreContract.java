package io.braid.testkit.contract;

import io.braid.core.store.CellStore;
import java.nio.file.Path;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Proves the laws of {@link CellStore} on a store. The test class of a store extends this one and
 * says how to open an empty store; each test has one of its own.
 *
 * <pre>{@code
 * class MyStoreTest extends CellStoreContract {
 *   @Override
 *   protected CellStore open() {
 *     return new MyStore();
 *   }
 *
 *   @Override
 *   public boolean reachesAcrossTablets() {
 *     return false;
 *   }
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL)
public abstract class CellStoreContract
    implements CellLaws,
        SelectionLaws,
        ModelLaws,
        ProcedureLaws,
        RaceLaws,
        RecencyLaws,
        ClockLaws,
        ClockRaceLaws,
        TableLaws,
        WatermarkLaws,
        SizeLaws,
        IngestLaws,
        VeilLaws,
        LifeLaws {
  @TempDir Path files;
  private @Nullable CellStore current;
  private int named;

  /** Opens a store with nothing in it. */
  protected abstract CellStore open();

  /**
   * Closes a store and opens it again, with everything that it acknowledged. Stores that do not
   * outlive their process leave this as it is: what it would prove is skipped.
   */
  protected CellStore reopen(CellStore store) {
    return Assumptions.abort("The store does not outlive its process.");
  }

  /** Whether one procedure reaches rows of several tablets and tables. */
  @Override
  public abstract boolean reachesAcrossTablets();

  @BeforeEach
  final void openStore() {
    current = open();
    store().ensureTable(SCHEMA);
  }

  @AfterEach
  final void closeStore() {
    CellStore store = current;
    if (store != null) {
      store.close();
    }
  }

  @Override
  public final CellStore store() {
    CellStore store = current;
    if (store == null) {
      throw new IllegalStateException("The store is not open.");
    }
    return store;
  }

  @Override
  public final void reopen() {
    current = reopen(store());
  }

  @Override
  public final Path newFile() {
    return files.resolve("sorted-" + named++);
  }
}
