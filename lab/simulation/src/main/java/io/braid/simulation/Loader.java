package io.braid.simulation;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.LoadableTables;
import io.braid.batch.atomic.AtomicLoad;
import io.braid.batch.atomic.Publication;
import io.braid.batch.atomic.StageWriter;
import io.braid.batch.input.RawRecord;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.sink.WriteResult;
import io.braid.batch.snapshot.VeiledLoad;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.workload.LoadJournal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Brings one load after another to its end. The state of the current load outlives every process,
 * as the directory of a job does. One process at a time works on the load.
 */
final class Loader {
  private static final long MEAN_PAUSE_NANOS = Duration.ofMillis(300).toNanos();
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int CELL_BYTES = 1024;

  private final World world;
  private final LoadJournal journal;
  private final SimRandom random;
  private @Nullable Current current;
  private @Nullable SimProcess owner;
  private int loads;
  private int working;
  private boolean stopped;

  /** The load that is under way. */
  private record Current(String value, boolean files, boolean wins, boolean aborts, long start) {
    Current givenUp() {
      return new Current(value, files, wins, true, start);
    }
  }

  Loader(World world, LoadJournal journal, SimRandom random) {
    this.world = world;
    this.journal = journal;
    this.random = random;
  }

  void stop() {
    stopped = true;
  }

  /** Returns whether a living process works on a load. It closes its database afterwards. */
  boolean isWorking() {
    return working > 0;
  }

  /** Works on loads until it has to stop; in a task of a process. */
  void work(Node node) {
    while (!stopped) {
      node.seams().sleep(Duration.ofNanos(random.around(MEAN_PAUSE_NANOS)));
      if (!stopped && (owner == null || owner.isDead() || owner == node.process())) {
        owner = node.process();
        working++;
        try {
          step(node);
        } finally {
          working--;
        }
      }
    }
  }

  /** Brings the last load to its end. */
  void finish(Node node) {
    owner = node.process();
    while (current != null) {
      step(node);
    }
  }

  private void step(Node node) {
    try {
      Current load = current == null ? begin(node) : current;
      current = load;
      run(node, load);
      current = null;
      owner = null;
    } catch (JobException
        | StoreException
        | TransactionException
        | TimestampUnavailableException e) {
      node.seams().sleep(Duration.ofMillis(50));
    }
  }

  private Current begin(Node node) {
    try (Snapshot now = node.transactions().snapshot()) {
      return new Current(
          "L" + ++loads,
          random.nextInt(2) == 0,
          random.nextInt(2) == 0,
          random.nextInt(6) == 0,
          now.timestamp());
    }
  }

  private void run(Node node, Current load) {
    LoadContext context =
        new LoadContext(
            node.store(),
            node.transactions(),
            LoadableTables.ALL,
            world.cluster().oracle(node.process()),
            ChangeSink.NONE,
            node.seams(),
            Limits.DEFAULT,
            CELL_BYTES);
    Publication publication = publication(context, load);
    publication.begin();
    boolean aborts = load.aborts;
    if (load.files) {
      bringFiles(context, load);
    } else if (!stage(context, load)) {
      // A process that continues this load gives it up, too.
      aborts = true;
      current = load.givenUp();
    }
    if (aborts && publication.abort()) {
      publication.settle();
      return;
    }
    OptionalLong commit = commit(node, load, publication);
    if (commit.isPresent()) {
      journal.loaded(
          new LoadJournal.Load(load.value, load.files, load.wins, load.start, commit.getAsLong()));
    }
    publication.settle();
  }

  /** Empty when a load of files has become too old to be committed, and was given up. */
  private static OptionalLong commit(Node node, Current load, Publication publication) {
    try {
      return OptionalLong.of(publication.commit());
    } catch (JobException e) {
      if (load.files && node.store().watermark() > load.start && publication.abort()) {
        return OptionalLong.empty();
      }
      throw e;
    }
  }

  private static Publication publication(LoadContext context, Current load) {
    Conflicts policy = load.wins ? Conflicts.LOAD : Conflicts.NEWER;
    String table = LoadJournal.TABLE;
    return load.files
        ? new VeiledLoad(context, load.value, table, load.start, load.wins, PATIENCE)
        : new AtomicLoad(context, load.value, table, load.start, policy, PATIENCE);
  }

  /** False when the load has become too old: then it can only be given up. */
  private boolean stage(LoadContext context, Current load) {
    Conflicts policy = load.wins ? Conflicts.LOAD : Conflicts.NEWER;
    StageWriter writer = new StageWriter(context, load.value, load.start, policy);
    List<SinkRecord> records = new ArrayList<>();
    for (int key = 0; key < LoadJournal.KEYS; key++) {
      records.add(
          new SinkRecord(
              new RawRecord(key, Bytes.of(load.value)),
              LoadJournal.row(key),
              List.of(write(load))));
    }
    List<WriteResult> results = writer.write(records);
    for (WriteResult result : results) {
      if (result instanceof WriteResult.Failed failed && !isCommitted(context, load)) {
        if (context.store().watermark() > load.start) {
          return false;
        }
        throw new StoreException("Not staged: " + failed);
      }
    }
    return true;
  }

  /** Then nothing can be staged any more, and nothing need be. */
  private static boolean isCommitted(LoadContext context, Current load) {
    var state = io.braid.core.loads.LoadDecisions.look(context.store(), load.value);
    return state != null && state.decided();
  }

  private static CellWrite write(Current load) {
    return new CellWrite(LoadJournal.COLUMN.name(), Intent.Kind.PUT, Bytes.of(load.value), false);
  }

  /** In several files, which come one after another, and again after a failure. */
  private void bringFiles(LoadContext context, Current load) {
    Bytes value = write(load).record(load.start).encode(load.start);
    for (int from = 0; from < LoadJournal.KEYS; from += 4) {
      Path file = world.files().folder().resolve(UUID.nameUUIDFromBytes(name(from)).toString());
      try (SortedFileWriter writer =
          context.store().sortedFile(LoadJournal.TABLE, LoadJournal.FAMILY, file)) {
        for (int key = from; key < from + 4; key++) {
          writer.put(
              LoadJournal.row(key).key(), LoadJournal.COLUMN.name().qualifier(), load.start, value);
        }
        writer.finish();
      }
      context.store().ingest(LoadJournal.TABLE, LoadJournal.FAMILY, List.of(file));
    }
  }

  private int named;

  private byte[] name(int from) {
    return (from + "/" + ++named).getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }
}
