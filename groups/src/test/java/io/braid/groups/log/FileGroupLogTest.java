package io.braid.groups.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.groups.rows.Reign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FileGroupLogTest {
  private static final ColumnName X = ColumnName.of("f", "x");

  private static final Reign FIRST = new Reign(1, 1);

  @TempDir Path directory;

  private FileGroupLog open(int lanes, long segmentBytes) {
    return new FileGroupLog(directory, lanes, false, segmentBytes, new SystemSeams());
  }

  private static LogEntry entry(long group, long position) {
    Bytes value = position % 3 == 0 ? null : Bytes.of("v" + position);
    return new LogEntry(group, position, List.of(new LogEntry.Write(Row.of("t", "r"), X, value)));
  }

  private static void write(GroupLog log, long group, int from, int to) {
    for (int i = from; i <= to; i++) {
      log.force(log.append(entry(group, i), FIRST));
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(f -> f.toString().endsWith(".log")).sorted().toList();
    }
  }

  @Test
  void whatWasForcedComesBackInOrderHoweverManyLanesThereAre() {
    try (FileGroupLog log = open(3, 200)) {
      for (int i = 1; i <= 50; i++) {
        write(log, 7, i, i);
        write(log, 8, i, i);
      }
    }
    try (FileGroupLog log = open(1, 200)) {
      assertThat(log.groups()).containsOnly(7L, 8L);
      assertThat(log.read(7, 0)).hasSize(50);
      for (int i = 1; i <= 50; i++) {
        assertThat(log.read(8, 0).get(i - 1)).isEqualTo(entry(8, i));
      }
    }
  }

  /** Fault 61: what a reader takes for damage because it is too long must not be written. */
  @Test
  void whatWaitsForASlowDiskIsWrittenInBlocksOfABoundedLength() throws IOException {
    int count = 40;
    Bytes large = Bytes.wrap(new byte[1 << 20]);
    try (FileGroupLog log = open(1, 1 << 30)) {
      GroupLog.Ticket last = null;
      for (int i = 1; i <= count; i++) {
        LogEntry.Write write = new LogEntry.Write(Row.of("t", "r"), X, large);
        last = log.append(new LogEntry(7, i, List.of(write)), FIRST);
      }
      log.force(Objects.requireNonNull(last));
    }
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(files().get(0)));
    int blocks = 0;
    for (int at = 24; at < file.limit(); at += 20 + file.getInt(at + 8)) {
      assertThat(file.getInt(at + 4)).isEqualTo(++blocks);
      assertThat(file.getInt(at + 8)).isLessThan(18 << 20);
    }
    assertThat(blocks).isEqualTo(3);
    try (FileGroupLog log = open(1, 1 << 30)) {
      assertThat(log.read(7, 0)).extracting(LogEntry::position).hasSize(count).isSorted();
    }
  }

  /** Groups name the log that their commits are in: under another name nobody would look there. */
  @Test
  void aLogThatDoesNotKnowWhichOneItIsIsRefused() throws IOException {
    String name;
    try (FileGroupLog log = open(1, 200)) {
      write(log, 7, 1, 1);
      name = log.describe();
    }
    try (FileGroupLog log = open(1, 200)) {
      assertThat(log.describe()).isEqualTo(name);
    }
    Path identity = directory.resolve("IDENTITY");
    String whole = Files.readString(identity);
    for (String torn : List.of("", whole.substring(0, 20))) {
      Files.writeString(identity, torn);
      assertThatThrownBy(() -> open(1, 200))
          .isInstanceOf(LogBrokenException.class)
          .hasMessageContaining("IDENTITY")
          .hasMessageContaining("Restore it from a copy");
    }
  }

  @Test
  void filesGoWhenAllInThemIsShippedOrForgotten() throws IOException {
    try (FileGroupLog log = open(1, 200)) {
      write(log, 7, 1, 50);
      write(log, 8, 1, 1);
      assertThat(files().size()).isGreaterThan(5);
      log.shipped(7, 49);
      log.forget(List.of(8L), () -> 1);
      write(log, 7, 51, 60);
      assertThat(files().size()).isLessThan(6);
    }
    try (FileGroupLog log = open(1, 200)) {
      List<LogEntry> left = log.read(7, 0);
      assertThat(left).contains(entry(7, 50), entry(7, 60));
      log.shipped(7, 60);
      log.forget(List.of(8L), () -> 1);
      assertThat(files()).isEmpty();
    }
  }

  /** Fault 61: the same rule as for the log of the store. */
  @Test
  void aTornLastBlockIsCutAndADamagedEarlierOneIsRefused() throws IOException {
    try (FileGroupLog log = open(1, 1 << 20)) {
      write(log, 7, 1, 20);
    }
    Path file = files().get(0);
    byte[] whole = Files.readAllBytes(file);
    for (int cut = 1; cut < 30; cut++) {
      Files.write(file, Arrays.copyOf(whole, whole.length - cut));
      try (FileGroupLog log = open(1, 1 << 20)) {
        assertThat(log.read(7, 0)).hasSizeBetween(18, 19);
      }
    }
    for (int at = 30; at < whole.length - 60; at += 7) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      Files.write(file, damaged);
      assertThatThrownBy(() -> open(1, 1 << 20))
          .as("a flipped bit at %d", at)
          .isInstanceOf(LogBrokenException.class)
          .hasMessageContaining(file.toString());
    }
  }

  /** Under another identity nobody would take the groups up whose commits are in the log. */
  @Test
  void anIdentityThatIsDamagedOrMissingBesideLogsIsRefused() throws IOException {
    String identity;
    try (FileGroupLog log = open(1, 1 << 20)) {
      write(log, 7, 1, 3);
      identity = log.describe().substring("files ".length());
    }
    Path file = directory.resolve("IDENTITY");
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at++) {
      for (int bit = 1; bit < 256; bit *= 2) {
        byte[] damaged = whole.clone();
        damaged[at] ^= (byte) bit;
        Files.write(file, damaged);
        requireRefusal("bit " + bit + " of byte " + at + " flipped", file);
      }
    }
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      if (length != identity.length()) { // as the first versions wrote it
        requireRefusal("cut to " + length, file);
      }
    }
    Files.write(file, Arrays.copyOf(whole, whole.length + 100));
    requireRefusal("bytes behind it", file);
    Files.delete(file);
    requireRefusal("missing", file);

    Files.write(file, Arrays.copyOf(whole, identity.length()));
    try (FileGroupLog log = open(1, 1 << 20)) {
      assertThat(log.describe()).endsWith(identity);
      assertThat(log.read(7, 0)).hasSize(3);
    }
  }

  /** Fault 61: each file of the log may be the one with commits that were acknowledged. */
  @Test
  void aFileThatIsLostOrEmptiedIsRefused() throws IOException {
    try (FileGroupLog log = open(2, 200)) {
      for (int group = 1; group <= 4; group++) {
        write(log, group, 1, 20);
      }
    }
    List<Path> all = files();
    assertThat(all).hasSizeGreaterThan(4);
    for (Path file : all) {
      byte[] whole = Files.readAllBytes(file);
      Files.delete(file);
      requireRefusal("lost", file);
      for (int length : List.of(0, 1, 23)) {
        Files.write(file, Arrays.copyOf(whole, length));
        requireRefusal("cut to " + length, file);
      }
      Files.write(file, whole);
    }
    Path list = directory.resolve("SEGMENTS");
    byte[] whole = Files.readAllBytes(list);
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 1;
      Files.write(list, damaged);
      requireRefusal("damaged at " + at, list);
    }
    Files.write(list, new byte[0]);
    requireRefusal("emptied", list);
    Files.delete(list); // as the first versions left it
    open(2, 200).close();
    Files.delete(all.get(1));
    requireRefusal("lost", all.get(1));
  }

  private void requireRefusal(String what, Path file) {
    assertThatThrownBy(() -> open(1, 1 << 20))
        .as(what)
        .isInstanceOf(LogBrokenException.class)
        .hasMessageContaining(file.toString());
  }

  /** Fault 60: what cannot be written is not acknowledged, and nothing after it is. */
  @Test
  void aLogThatCannotBeWrittenAcknowledgesNothingMore() {
    List<LogEntry> written = new ArrayList<>();
    GroupCommit commits =
        new GroupCommit(
            new SystemSeams(),
            batch -> {
              if (written.size() == 2) {
                throw new IllegalStateException("no space left");
              }
              batch.forEach(each -> written.add(each.entry()));
              return Map.of();
            });
    GroupCommit.force(commits.append(entry(1, 1), FIRST));
    GroupCommit.force(commits.append(entry(1, 2), FIRST));
    assertThatThrownBy(() -> GroupCommit.force(commits.append(entry(1, 3), FIRST)))
        .isInstanceOf(LogBrokenException.class);
    assertThatThrownBy(() -> GroupCommit.force(commits.append(entry(1, 4), FIRST)))
        .isInstanceOf(LogBrokenException.class);
    assertThat(written).containsExactly(entry(1, 1), entry(1, 2));
  }
}
