package io.braid.simulation.cluster;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Tablet;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.store.Veils;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store as one process sees it through the network. It obeys the laws of {@link CellStore}, and
 * uses every freedom that they leave: items of a call travel apart, in any order, each with a fate
 * of its own; unknown outcomes may come true later; hints are wrong.
 */
public final class SimStore implements CellStore {
  /** How often what is sent goes through its codecs, as it would between real processes. */
  private static final double ENCODED = 0.05;

  private final StoreServer server;
  private final Network network;
  private final SimScheduler scheduler;
  private final SimProcess process;
  private final Faults faults;
  private final SimRandom random;
  private final TabletGroups groups;
  private final Map<String, List<Tablet>> seen = new HashMap<>();

  SimStore(
      StoreServer server,
      Network network,
      SimScheduler scheduler,
      SimProcess process,
      Faults faults) {
    this.server = server;
    this.network = network;
    this.scheduler = scheduler;
    this.process = process;
    this.faults = faults;
    this.random = scheduler.random().split();
    this.groups = new TabletGroups(server, random);
  }

  /** Some rows of a scan. */
  record Batch(List<RowCells> rows, boolean last) {}

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    requests.forEach(request -> known(request.row().table()));
    process.callBegins();
    @Nullable RowCells[] answers = new RowCells[requests.size()];
    List<String> failures = new ArrayList<>();
    Exchange exchange = new Exchange(scheduler);
    for (List<Integer> group : groups.of(requests.size(), i -> requests.get(i).row())) {
      List<RowRead> wanted = group.stream().map(requests::get).toList();
      exchange.expect();
      network.send(
          process,
          server,
          true,
          () -> server.read(wanted),
          rows -> {
            for (int i = 0; i < group.size(); i++) {
              answers[group.get(i)] = rows.get(i);
            }
            exchange.arrived();
          },
          why -> {
            failures.add(why);
            exchange.arrived();
          });
    }
    exchange.await("read", Network.TIMEOUT_NANOS);
    List<RowCells> rows = new ArrayList<>();
    for (RowCells answer : answers) {
      if (answer == null) {
        throw new TabletUnavailableException("A read failed: " + why(failures) + ".");
      }
      rows.add(answer);
    }
    return rows;
  }

  private static String why(List<String> failures) {
    return failures.isEmpty() ? "no answer in time" : failures.get(0);
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    known(request.table());
    scheduler.mayYield();
    return new SimScanner(this, request);
  }

  Batch fetch(ScanRequest request) {
    if (faults.strikes(Fault.SCAN_BROKEN)) {
      scheduler.mayYield();
      throw new TabletUnavailableException("The scan broke off.");
    }
    int most = 1 + random.nextInt(request.batchRows());
    List<RowCells> rows = ask("scan", () -> server.scan(request, most));
    return new Batch(rows, RowScanner.isEnd(rows, most));
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    writes.forEach(write -> known(write.row().table()));
    return call(
        "write",
        groups.of(writes.size(), i -> writes.get(i).row()),
        writes.size(),
        false,
        group -> group.stream().map(i -> server.write(writes.get(i), durability)).toList());
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    List<A> sent = new ArrayList<>();
    for (A argument : arguments) {
      procedure.rows(argument).forEach(row -> known(row.table()));
      sent.add(random.chance(ENCODED) ? copy(procedure.argumentCodec(), argument) : argument);
    }
    List<Outcome<R>> outcomes =
        call(
            procedure.name(),
            groups.of(sent.size(), i -> procedure.rows(sent.get(i)).get(0)),
            sent.size(),
            true,
            group -> server.execute(procedure, group.stream().map(sent::get).toList(), durability));
    if (random.chance(ENCODED)) {
      outcomes.replaceAll(
          outcome ->
              outcome instanceof Outcome.Done<R> done
                  ? Outcome.done(copy(procedure.resultCodec(), done.result()))
                  : outcome);
    }
    return outcomes;
  }

  private static <T> T copy(Codec<T> codec, T value) {
    return codec.decode(codec.encode(value));
  }

  /** Sends each group of items by itself and gathers their outcomes. */
  private <R extends @Nullable Object> List<Outcome<R>> call(
      String name,
      List<List<Integer>> groups,
      int items,
      boolean repeatable,
      Function<List<Integer>, List<Outcome<R>>> effect) {
    process.callBegins();
    List<Outcome<R>> outcomes =
        new ArrayList<>(Collections.nCopies(items, Outcome.unknown("no answer in time")));
    Exchange exchange = new Exchange(scheduler);
    boolean[] gaveUp = new boolean[1];
    for (List<Integer> group : groups) {
      exchange.expect();
      network.send(
          process,
          server,
          repeatable,
          () -> effect.apply(group),
          answers -> {
            for (int i = 0; i < group.size() && !gaveUp[0]; i++) {
              outcomes.set(group.get(i), answers.get(i));
            }
            exchange.arrived();
          },
          why -> {
            for (int i = 0; i < group.size() && !gaveUp[0]; i++) {
              outcomes.set(group.get(i), Outcome.notExecuted(Outcome.Reason.UNAVAILABLE, why));
            }
            exchange.arrived();
          });
    }
    exchange.await(name, Network.TIMEOUT_NANOS);
    gaveUp[0] = true;
    return outcomes;
  }

  /** Asks one thing of the store; what it refuses with a reason is thrown here, at the caller. */
  private <R> R ask(String what, Supplier<R> effect) {
    process.callBegins();
    Exchange exchange = new Exchange(scheduler);
    List<Supplier<R>> answers = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    exchange.expect();
    network.send(
        process,
        server,
        true,
        () -> answerOf(effect),
        answer -> {
          answers.add(answer);
          exchange.arrived();
        },
        why -> {
          failures.add(why);
          exchange.arrived();
        });
    exchange.await(what, Network.TIMEOUT_NANOS);
    if (answers.isEmpty()) {
      throw new TabletUnavailableException("The call '" + what + "' failed: " + why(failures));
    }
    return answers.get(0).get();
  }

  private void tell(String what, Runnable effect) {
    ask(
        what,
        () -> {
          effect.run();
          return true;
        });
  }

  private static <R> Supplier<R> answerOf(Supplier<R> effect) {
    try {
      R answer = effect.get();
      return () -> answer;
    } catch (StoreException e) {
      return () -> {
        throw e;
      };
    }
  }

  @Override
  public boolean together(Collection<Row> rows) {
    scheduler.mayYield();
    return server.memory().together(rows) ^ faults.strikes(Fault.HINT_WRONG);
  }

  @Override
  public List<Tablet> tablets(String table) {
    known(table);
    scheduler.mayYield();
    List<Tablet> old = seen.get(table);
    if (old != null && faults.strikes(Fault.HINT_WRONG)) {
      return old;
    }
    List<Tablet> now = List.copyOf(server.tablets(table));
    seen.put(table, now);
    return now;
  }

  @Override
  public void advanceClock(long timestamp) {
    ask("advanceClock", () -> server.advanceClock(timestamp));
  }

  @Override
  public List<TableSchema> tables() {
    return ask("tables", () -> server.memory().tables());
  }

  @Override
  public Optional<TableSchema> table(String name) {
    return ask("table", () -> server.memory().table(name));
  }

  @Override
  public void ensureTable(TableSchema schema, LongSupplier birth) {
    // Tables stay: none was dropped since the birth was drawn.
    long drawn = table(schema.name()).isPresent() ? 0 : birth.getAsLong();
    tell("ensureTable", () -> server.memory().ensureTable(schema, () -> drawn));
  }

  @Override
  public void dropTable(String name) {
    throw new UnsupportedOperationException("Tables stay.");
  }

  @Override
  public void splitTablet(String table, Bytes key) {
    known(table);
    tell("splitTablet", () -> server.split(table, key));
  }

  @Override
  public long epoch(String table) {
    known(table);
    return ask("epoch", () -> server.memory().epoch(table));
  }

  @Override
  public long birth(String table) {
    known(table);
    return ask("birth", () -> server.memory().birth(table));
  }

  @Override
  public void raiseEpoch(String table, long epoch) {
    known(table);
    tell("raiseEpoch", () -> server.memory().raiseEpoch(table, epoch));
  }

  @Override
  public long watermark() {
    return ask("watermark", () -> server.memory().watermark());
  }

  @Override
  public void raiseWatermark(long timestamp) {
    tell("raiseWatermark", () -> server.memory().raiseWatermark(timestamp));
  }

  @Override
  public SortedFileWriter sortedFile(String table, String family, Path file) {
    known(table);
    return server.memory().sortedFile(table, family, file);
  }

  @Override
  public void ingest(String table, String family, List<Path> files) {
    known(table);
    ask(
        "ingest",
        () -> {
          // A request that comes again finds nothing more to take over.
          List<Path> there = files.stream().filter(Files::exists).toList();
          server.memory().ingest(table, family, there);
          return true;
        });
  }

  @Override
  public boolean hasVeils() {
    return true;
  }

  @Override
  public void veil(String table, long version, boolean wins) {
    known(table);
    tell("veil", () -> server.memory().veil(table, version, wins));
  }

  @Override
  public Lift lift(
      String table, long version, long start, long epoch, String family, LiftCheck check) {
    known(table);
    return ask("lift", () -> server.memory().lift(table, version, start, epoch, family, check));
  }

  @Override
  public boolean discard(String table, long version) {
    known(table);
    return ask("discard", () -> server.memory().discard(table, version));
  }

  @Override
  public Veils veils(String table) {
    known(table);
    return ask("veils", () -> server.memory().veils(table));
  }

  @Override
  public void close() {
    scheduler.checkAlive();
  }

  private void known(String table) {
    if (server.memory().table(table).isEmpty()) {
      throw new UnknownTableException("There is no table " + table + "; create it first.");
    }
  }
}
