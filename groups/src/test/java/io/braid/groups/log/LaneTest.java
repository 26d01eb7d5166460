package io.braid.groups.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.groups.rows.Reign;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Faults 61 and 62: what is in the log when the disk is full, or memory ends, and when that passes.
 */
class LaneTest {
  private static final int LONG = 300_000;

  /** What happens to writes: fails those while it counts down to 0, half way. */
  private static final class Disk implements LogFolder {
    final Map<String, ByteArrayOutputStream> files = new TreeMap<>();
    int failing;
    boolean memory;
    boolean cuts = true;
    boolean fullForHeads;

    private void mayFail(ByteArrayOutputStream file, byte[] bytes, int length) throws IOException {
      if (failing > 0 && (fullForHeads || file.size() > 0)) {
        failing--;
        file.write(bytes, 0, length / 2);
        if (memory) {
          throw new OutOfMemoryError("planted");
        }
        throw new IOException("No space left on device");
      }
    }

    @Override
    public List<String> names() {
      return List.copyOf(files.keySet());
    }

    @Override
    public byte[] read(String name) {
      return files.getOrDefault(name, new ByteArrayOutputStream()).toByteArray();
    }

    @Override
    public OpenFile create(String name) {
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      files.put(name, file);
      return new OpenFile() {
        @Override
        public void write(byte[] bytes, int length) throws IOException {
          mayFail(file, bytes, length);
          file.write(bytes, 0, length);
        }

        @Override
        public void cut(long length) throws IOException {
          if (!cuts) {
            throw new IOException("planted");
          }
          byte[] kept = Arrays.copyOf(file.toByteArray(), (int) length);
          file.reset();
          file.write(kept);
        }

        @Override
        public void force(boolean synced) {}

        @Override
        public void close() {}
      };
    }

    @Override
    public void delete(String name) {
      files.remove(name);
    }

    @Override
    public String whereIs(String name) {
      return name;
    }

    @Override
    public void requireUnsealed() {}

    List<LogEntry> entries() {
      List<LogEntry> all = new ArrayList<>();
      for (Segments.SegmentFile each : Segments.among(names())) {
        Segment.Content content = Segment.read(each.name(), read(each.name()), each.last());
        assertThat(content.torn()).isFalse();
        all.addAll(content.entries());
      }
      return all;
    }
  }

  private final Disk disk = new Disk();
  private final List<LogEntry> acknowledged = new ArrayList<>();

  private Lane lane(long segmentBytes) {
    return new Lane(
        disk,
        0,
        true,
        segmentBytes,
        new SystemSeams() {
          @Override
          public void sleep(Duration duration) {}
        });
  }

  private void commit(Lane lane, int length) {
    LogEntry entry =
        new LogEntry(
            7,
            acknowledged.size() + 1L,
            List.of(
                write("a", Bytes.of("x".repeat(length))),
                write("b", Bytes.of("y")),
                write("c", Bytes.of("z".repeat(length))),
                write("d", null)));
    GroupCommit.force(lane.commits().append(entry, new Reign(1, 0)));
    acknowledged.add(entry);
  }

  private static LogEntry.Write write(String column, @Nullable Bytes value) {
    return new LogEntry.Write(Row.of("t", "r"), new ColumnName("f", Bytes.of(column)), value);
  }

  @Test
  void aWriteThatFindsNoRoomOrNoMemoryIsTakenBackAndTriedAgain() {
    for (boolean memory : List.of(false, true)) {
      for (long segment : List.of(1L, 1L << 30)) {
        for (boolean heads : List.of(false, true)) {
          disk.files.clear();
          acknowledged.clear();
          disk.memory = memory;
          disk.fullForHeads = heads;
          Lane lane = lane(segment);
          for (int length : List.of(1, LONG, 5, LONG, 4096, 1)) {
            disk.failing = 7;
            commit(lane, length);
            assertThat(disk.failing).isZero();
            assertThat(disk.entries()).isEqualTo(acknowledged);
          }
          assertThat(lane.commits().isBroken()).isFalse();
        }
      }
    }
  }

  @Test
  void aDiskThatStaysFullBreaksTheLogAfterAWhileAndLeavesNoHalfBlock() {
    Lane lane = lane(1L << 30);
    commit(lane, LONG);
    disk.failing = Integer.MAX_VALUE;
    assertThatThrownBy(() -> commit(lane, LONG)).isInstanceOf(LogBrokenException.class);
    assertThat(lane.commits().isBroken()).isTrue();
    assertThat(disk.entries()).isEqualTo(acknowledged);
    disk.failing = 0;
    assertThatThrownBy(() -> commit(lane, 1)).isInstanceOf(LogBrokenException.class);
  }

  @Test
  void whatCannotBeTakenBackBreaksTheLogAtOnce() {
    Lane lane = lane(1L << 30);
    commit(lane, 1);
    disk.failing = 1;
    disk.cuts = false;
    assertThatThrownBy(() -> commit(lane, LONG)).isInstanceOf(LogBrokenException.class);
    assertThat(disk.failing).isZero();
    assertThatThrownBy(() -> commit(lane, 1)).isInstanceOf(LogBrokenException.class);
  }

  @Test
  void anInterruptDoesNotEndTheTries() {
    Lane lane = lane(1L << 30);
    disk.failing = 5;
    Thread.currentThread().interrupt();
    assertThatCode(() -> commit(lane, LONG)).doesNotThrowAnyException();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(disk.entries()).isEqualTo(acknowledged);
  }
}
