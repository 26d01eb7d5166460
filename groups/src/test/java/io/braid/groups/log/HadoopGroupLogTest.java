package io.braid.groups.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.ReplaceCell;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.rows.Reign;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults 36 and 38: logs of several processes in one folder, through Hadoop's own client. */
class HadoopGroupLogTest {
  private static final ColumnName X = ColumnName.of("f", "x");
  private static final Reign FIRST = new Reign(1, 1);
  private static final Reign SECOND = new Reign(2, 2);
  private static final int LANES = 2;

  @TempDir java.nio.file.Path directory;

  private final CellStore store = newStore();
  private final Set<String> dead = new HashSet<>();
  private int processes;

  private static CellStore newStore() {
    CellStore store = new MemoryStore();
    store.ensureTable(Families.system());
    return store;
  }

  /** A process with a name of its own. */
  private Seams process() {
    String token = "p" + ++processes;
    Liveness liveness =
        new Liveness() {
          @Override
          public String token() {
            return token;
          }

          @Override
          public boolean isAlive(String other) {
            return !other.isEmpty() && !dead.contains(other);
          }
        };
    return new SystemSeams(liveness, new SystemSeams().locks());
  }

  private HadoopGroupLog open(long segmentBytes) {
    return HadoopGroupLog.open(
        store, directory.toUri(), LANES, Durability.SYNCED, segmentBytes, process());
  }

  private HadoopGroupLog open() {
    return open(1 << 20);
  }

  private static LogEntry entry(long group, long position) {
    return new LogEntry(
        group,
        position,
        List.of(new LogEntry.Write(Row.of("t", "r"), X, Bytes.of("v" + position))));
  }

  private static void write(GroupLog log, long group, Reign reign, int from, int to) {
    for (int i = from; i <= to; i++) {
      log.force(log.append(entry(group, i), reign));
    }
  }

  private static List<LogEntry> entries(long group, int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> entry(group, i)).toList();
  }

  private List<java.nio.file.Path> files(String part) throws IOException {
    try (Stream<java.nio.file.Path> files = Files.walk(directory)) {
      return files.filter(file -> file.getFileName().toString().contains(part)).toList();
    }
  }

  private static void takeOver(GroupLog log, GroupLog from, long group, Reign reign) {
    assertThat(log.canRead(from.describe())).isTrue();
    log.supersede(from.describe());
    log.fence(group, reign);
  }

  /** Whoever takes over finds all that was acknowledged, over files and lanes. */
  @Test
  void anotherProcessReadsWhatTheDeadOneHasLogged() {
    GroupLog first = open(200);
    for (int i = 1; i <= 30; i++) {
      write(first, 7, FIRST, i, i);
      write(first, 8, FIRST, i, i);
    }
    GroupLog second = open();
    assertThat(second.read(7, 0)).isEmpty();
    takeOver(second, first, 7, SECOND);
    assertThat(second.read(7, 0)).isEqualTo(entries(7, 1, 30));
    assertThat(second.read(8, 12)).isEqualTo(entries(8, 13, 30));
    write(second, 7, SECOND, 31, 40);
    GroupLog third = open();
    takeOver(third, second, 7, new Reign(3, 3));
    assertThat(third.read(7, 20)).isEqualTo(entries(7, 21, 40));
  }

  /** A leader that was taken for dead wakes up and acknowledges nothing any more. */
  @Test
  void theLateAppendOfOneTakenForDeadIsRefusedAndNeverRead() {
    GroupLog first = open();
    write(first, 7, FIRST, 1, 5);
    GroupLog second = open();
    takeOver(second, first, 7, SECOND);
    assertThatThrownBy(() -> write(first, 7, FIRST, 6, 6)).isInstanceOf(LogBrokenException.class);
    assertThatThrownBy(() -> write(first, 9, FIRST, 1, 1)).isInstanceOf(LogBrokenException.class);
    assertThat(first.isBroken()).isTrue();
    assertThat(second.read(7, 0)).isEqualTo(entries(7, 1, 5));
    // Its bytes are in the file: whoever looks next must not take them for the sixth commit.
    GroupLog third = open();
    takeOver(third, second, 7, new Reign(3, 3));
    assertThat(third.read(7, 0)).isEqualTo(entries(7, 1, 5));
  }

  /** Two that want to take over at once agree on what they have found. */
  @Test
  void theFirstSealCounts() throws IOException {
    GroupLog first = open();
    write(first, 7, FIRST, 1, 5);
    takeOver(open(), first, 7, SECOND);
    java.nio.file.Path file = files("lane-").get(0);
    Files.write(file, bytes(Segment.block(6, List.of(entry(7, 6)))), StandardOpenOption.APPEND);
    GroupLog other = open();
    takeOver(other, first, 7, SECOND);
    assertThat(other.read(7, 0)).isEqualTo(entries(7, 1, 5));
  }

  /** A store that is away for a moment, or does not say what it did, does not keep a log open. */
  @Test
  void theSealIsWrittenAgainUntilTheStoreTakesIt() {
    GroupLog first = open();
    write(first, 7, FIRST, 1, 5);
    AtomicInteger troubles = new AtomicInteger(4);
    GroupLog second = openOver(troubledSeals(troubles));
    takeOver(second, first, 7, SECOND);
    assertThat(troubles).hasValue(0);
    assertThat(second.read(7, 0)).isEqualTo(entries(7, 1, 5));
  }

  /** Such a store may be back soon: the log is not broken, and whoever waits may try again. */
  @Test
  void aStoreThatStaysAwayIsNotTakenForABrokenLog() {
    GroupLog first = open();
    write(first, 7, FIRST, 1, 5);
    AtomicInteger troubles = new AtomicInteger(Integer.MAX_VALUE);
    GroupLog second = openOver(troubledSeals(troubles));
    assertThatThrownBy(() -> second.supersede(first.describe()))
        .isInstanceOf(TabletUnavailableException.class);
    troubles.set(0);
    takeOver(second, first, 7, SECOND);
    assertThat(second.read(7, 0)).isEqualTo(entries(7, 1, 5));
  }

  private HadoopGroupLog openOver(CellStore other) {
    return HadoopGroupLog.open(
        other, directory.toUri(), LANES, Durability.SYNCED, 1 << 20, process());
  }

  /** Seals are not written so many times; every other time nobody can tell. */
  private CellStore troubledSeals(AtomicInteger troubles) {
    return new ForwardingStore(store) {
      @Override
      public <A, R> List<Outcome<R>> execute(
          Procedure<A, R> procedure, List<A> arguments, Durability durability) {
        if (procedure != ReplaceCell.INSTANCE || troubles.get() == 0) {
          return super.execute(procedure, arguments, durability);
        }
        Outcome<R> trouble =
            troubles.getAndDecrement() % 2 == 0
                ? Outcome.unknown("It does not answer.")
                : Outcome.notExecuted(Outcome.Reason.UNAVAILABLE, "It is away.");
        return arguments.stream().map(each -> trouble).toList();
      }
    };
  }

  /** Half a block was not acknowledged; what follows in other files is no sign of it. */
  @Test
  void aTornLastBlockIsNotRead() throws IOException {
    GroupLog first = open();
    write(first, 7, FIRST, 1, 5);
    java.nio.file.Path file = files("lane-").get(0);
    byte[] block = bytes(Segment.block(6, List.of(entry(7, 6))));
    Files.write(file, java.util.Arrays.copyOf(block, block.length - 3), StandardOpenOption.APPEND);
    GroupLog second = open();
    takeOver(second, first, 7, SECOND);
    assertThat(second.read(7, 0)).isEqualTo(entries(7, 1, 5));
  }

  @Test
  void aDamagedBlockInTheMiddleIsNotPassedOver() throws IOException {
    GroupLog first = open();
    write(first, 7, FIRST, 1, 5);
    java.nio.file.Path file = files("lane-").get(0);
    byte[] bytes = Files.readAllBytes(file);
    bytes[60] ^= 4;
    Files.write(file, bytes);
    GroupLog second = open();
    assertThatThrownBy(() -> takeOver(second, first, 7, SECOND))
        .isInstanceOf(LogBrokenException.class)
        .hasMessageContaining("damaged");
  }

  /** A process that has lost its lease and takes its groups over from itself. */
  @Test
  void aFenceKeepsLowerEpochsOutOfOnesOwnLog() {
    GroupLog log = open();
    write(log, 7, FIRST, 1, 5);
    GroupLog.Ticket queued = log.append(entry(7, 6), FIRST);
    log.fence(7, SECOND);
    assertThat(log.read(7, 2)).isEqualTo(entries(7, 3, 5));
    assertThatThrownBy(() -> log.force(queued)).isInstanceOf(LogFencedException.class);
    assertThatThrownBy(() -> write(log, 7, FIRST, 6, 6)).isInstanceOf(LogFencedException.class);
    write(log, 7, SECOND, 6, 7);
    write(log, 8, FIRST, 1, 1);
    assertThat(log.read(7, 0)).isEqualTo(entries(7, 1, 7));
    assertThat(log.isBroken()).isFalse();
  }

  @Test
  void aSealedLogGoesWhenAllInItIsShippedOrItsGroupsAreGone() throws IOException {
    GroupLog first = open();
    write(first, 7, FIRST, 1, 5);
    write(first, 8, FIRST, 1, 3);
    GroupLog second = open();
    takeOver(second, first, 7, SECOND);
    second.sweep(group -> group == 7 ? 4 : Long.MAX_VALUE);
    assertThat(second.read(7, 4)).isEqualTo(entries(7, 5, 5));
    second.sweep(group -> group == 7 ? 5 : Long.MAX_VALUE);
    assertThat(files("lane-")).isEmpty();
    assertThat(second.read(7, 0)).isEmpty();
    // One that wakes up only now finds no folder.
    assertThatThrownBy(() -> write(first, 7, FIRST, 6, 6)).isInstanceOf(LogBrokenException.class);
  }

  /** Nothing stays in memory of logs that others have removed, nor of groups that others lead. */
  @Test
  void whatOthersHaveRemovedIsForgotten() {
    GroupLog first = open();
    write(first, 7, FIRST, 1, 5);
    HadoopGroupLog second = open();
    takeOver(second, first, 7, SECOND);
    assertThat(second.read(7, 0)).hasSize(5);
    HadoopGroupLog third = open();
    assertThat(third.read(7, 0)).hasSize(5);
    assertThat(third.keptLogs()).isEqualTo(1);
    second.sweep(group -> Long.MAX_VALUE);
    assertThat(second.keptLogs()).isZero();
    third.sweep(group -> Long.MAX_VALUE);
    assertThat(third.keptLogs()).isZero();
    assertThat(second.fences()).isEqualTo(1);
    second.left(7);
    assertThat(second.fences()).isZero();
  }

  @Test
  void logsOfTheDeadThatLedNothingGoAndThoseOfTheLivingStay() throws IOException {
    write(open(), 7, FIRST, 1, 5);
    write(open(), 8, FIRST, 1, 5);
    dead.add("p1");
    GroupLog third = open();
    for (int i = 0; i < 3; i++) {
      third.sweep(group -> Long.MAX_VALUE);
    }
    assertThat(files("lane-")).hasSize(1);
    assertThat(files("OPEN")).hasSize(2);
  }

  @Test
  void aLogThatIsShippedGoesWithItsProcess() throws IOException {
    try (GroupLog log = open()) {
      write(log, 7, FIRST, 1, 5);
      log.shipped(7, 5);
    }
    assertThat(files("log-")).isEmpty();
    try (GroupLog log = open()) {
      write(log, 7, FIRST, 1, 5);
      log.shipped(7, 4);
    }
    assertThat(files("lane-")).hasSize(1);
  }

  /** Numbers of groups mean nothing in another database. */
  @Test
  void databasesShareAFolderAndNotTheirLogs() {
    GroupLog first = open();
    write(first, 7, FIRST, 1, 5);
    GroupLog other =
        HadoopGroupLog.open(
            newStore(), directory.toUri(), LANES, Durability.SYNCED, 1 << 20, process());
    assertThat(other.canRead(first.describe())).isFalse();
    assertThat(other.read(7, 0)).isEmpty();
  }

  /** What HDFS adds to a file system: the lease of a writer, which ends before the file is read. */
  private static final class LeasingFiles extends FilterFileSystem implements LeaseRecoverable {
    private final List<Path> recovered = new ArrayList<>();
    private boolean busy = true;

    LeasingFiles(FileSystem files) {
      super(files);
    }

    @Override
    public boolean recoverLease(Path file) {
      recovered.add(file);
      return !busy;
    }

    @Override
    public boolean isFileClosed(Path file) {
      return !busy;
    }
  }

  @Test
  void theLeaseOfTheDeadWriterEndsBeforeItsLogIsRead() throws IOException {
    GroupLog first = open();
    write(first, 7, FIRST, 1, 5);
    LocalFileSystem local = FileSystem.getLocal(new Configuration());
    LeasingFiles files = new LeasingFiles(local.getRaw());
    GroupLog second =
        HadoopGroupLog.open(
            store,
            files,
            new Path(directory.toUri()),
            LANES,
            Durability.SYNCED,
            1 << 20,
            process());
    assertThatThrownBy(() -> second.supersede(first.describe()))
        .isInstanceOf(LogBrokenException.class);
    assertThat(second.read(7, 0)).isEmpty();
    files.busy = false;
    takeOver(second, first, 7, SECOND);
    assertThat(files.recovered).isNotEmpty();
    assertThat(second.read(7, 0)).isEqualTo(entries(7, 1, 5));
  }

  /** Such as those over object stores, where a file is there once it is closed. */
  @Test
  void aFileSystemThatCannotSyncIsRefused() throws IOException {
    LocalFileSystem checksummed = FileSystem.getLocal(new Configuration());
    assertThatThrownBy(
            () ->
                HadoopGroupLog.open(
                    store,
                    checksummed,
                    new Path(directory.toUri()),
                    LANES,
                    Durability.SYNCED,
                    1 << 20,
                    process()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot sync");
  }

  private static byte[] bytes(List<Bytes> pieces) {
    return pieces.stream().reduce(Bytes.EMPTY, Bytes::concat).toArray();
  }
}
