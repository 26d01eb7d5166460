package io.braid;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.UninterruptedWork;
import io.braid.core.store.CellStore;
import io.braid.store.rocksdb.RocksStore;
import io.opentelemetry.api.OpenTelemetry;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * Opens a database with more than a configuration: traces, or a clock of the caller.
 *
 * <pre>{@code
 * Braid db = Braid.builder().config(config).telemetry(telemetry).open(directory);
 * }</pre>
 */
@API(status = API.Status.STABLE)
public final class BraidBuilder {
  private BraidConfig config = BraidConfig.defaults();
  private Seams seams = new SystemSeams();
  private OpenTelemetry telemetry = OpenTelemetry.noop();

  BraidBuilder() {}

  /** Sets the configuration; the default has every setting at its default. */
  public BraidBuilder config(BraidConfig newConfig) {
    this.config = newConfig;
    return this;
  }

  /** Sets clock, randomness and threads, as for a simulation; the default is the system's. */
  public BraidBuilder seams(Seams newSeams) {
    this.seams = newSeams;
    return this;
  }

  /**
   * Traces the database: each transaction is a span, with its begin, reads and commit and every
   * call of the store beneath it.
   *
   * @param newTelemetry receives the spans; the caller closes it after the database
   */
  public BraidBuilder telemetry(OpenTelemetry newTelemetry) {
    this.telemetry = newTelemetry;
    return this;
  }

  /** Opens the database in a directory: see {@link Braid#open(Path, BraidConfig)}. */
  public Braid open(Path directory) {
    return UninterruptedWork.get(
        () -> {
          RocksStore store = RocksStore.open(directory, Options.store(config.checked()));
          return Foundation.alone(
              store, config, seams, Foundation.LogOpener.beside(store, directory), telemetry);
        });
  }

  /** Opens a database over a store: see {@link Braid#over(CellStore, BraidConfig)}. */
  public Braid over(CellStore store) {
    return UninterruptedWork.get(
        () -> Foundation.alone(store, config, seams, Foundation.LogOpener.IN_STORE, telemetry));
  }

  /**
   * Opens a database that several processes share, over the connection of a connector. Closes the
   * connection with it, also when this fails. The seams are those of the connection, and nothing is
   * traced.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public Braid over(Connector.Connection to) {
    return Foundation.shared(to, config);
  }
}
