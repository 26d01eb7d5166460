package io.braid.store.rocksdb.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.store.StoreException;
import io.braid.store.rocksdb.Fixtures;
import io.braid.store.rocksdb.RocksStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may open a directory. */
class StoreDirectoryTest {
  @TempDir Path directory;

  /** Fault 62, in one process. */
  @Test
  void secondOpenIsToldWhoHasItOpen() throws IOException {
    Path link = directory.resolve("link");
    Path real = directory.resolve("real");
    try (RocksStore store = RocksStore.open(real, Fixtures.SMALL)) {
      Files.createSymbolicLink(link, real);
      for (Path path : new Path[] {real, link}) {
        assertThatThrownBy(() -> RocksStore.open(path, Fixtures.SMALL))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("locked by pid " + ProcessHandle.current().pid());
      }
      store.ensureTable(Fixtures.schema());
    }
    try (RocksStore store = RocksStore.open(link, Fixtures.SMALL)) {
      assertThat(store.tables()).hasSize(1);
    }
  }

  @Test
  void directoryOfSomethingElseIsRefusedAndLeftAlone() throws IOException {
    Files.writeString(directory.resolve("letter.txt"), "dear");
    assertThatThrownBy(() -> RocksStore.open(directory, Fixtures.SMALL))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("holds no store of Braid");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("letter.txt"));
    }
  }

  @Test
  void newerFormatIsRefused() throws IOException {
    RocksStore.open(directory, Fixtures.SMALL).close();
    Path format = directory.resolve("FORMAT");
    String line = Files.readString(format);
    assertThat(line).startsWith("braid-rocksdb 1 crc32c ");
    Files.writeString(format, FormatFile.line(2));
    assertThatThrownBy(() -> RocksStore.open(directory, Fixtures.SMALL))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("format 2")
        .hasMessageContaining("newer");
    Files.writeString(format, line);
    RocksStore.open(directory, Fixtures.SMALL).close();
  }

  /** Fault 60: after a full disk it is not opened again before what its log holds finds room. */
  @Test
  void theRoomItTakesToOpenGrowsWithTheLog() throws IOException {
    RocksStore.open(directory, Fixtures.SMALL).close();
    Path data = directory.resolve("rocksdb");
    long before = StoreDirectory.roomToOpen(data);
    Files.write(data.resolve("999999.log"), new byte[3 << 20]);
    assertThat(StoreDirectory.roomToOpen(data)).isEqualTo(before + (3 << 20));
  }

  @Test
  void damagedFormatFileIsRefused() throws IOException {
    RocksStore.open(directory, Fixtures.SMALL).close();
    Path format = directory.resolve("FORMAT");
    Files.writeString(format, Files.readString(format).replace("rocksdb 1", "rocksdb 7"));
    assertThatThrownBy(() -> RocksStore.open(directory, Fixtures.SMALL))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("damaged");
    Files.write(format, new byte[] {'b', (byte) 0xFF});
    assertThatThrownBy(() -> RocksStore.open(directory, Fixtures.SMALL))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void failedOpenGivesTheDirectoryUp() throws IOException {
    RocksStore.open(directory, Fixtures.SMALL).close();
    Path current = directory.resolve("rocksdb/CURRENT");
    String pointer = Files.readString(current);
    Files.writeString(current, "MANIFEST-999999\n");
    assertThatThrownBy(() -> RocksStore.open(directory, Fixtures.SMALL))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot be opened");
    Files.writeString(current, pointer);
    RocksStore.open(directory, Fixtures.SMALL).close();
  }

  /** Fault 62: not even a disk that is gone keeps a closed store locked. */
  @Test
  void closeGivesTheDirectoryUpWhateverFails() throws IOException {
    RocksStore store = RocksStore.open(directory, Fixtures.SMALL);
    Path data = directory.resolve("rocksdb");
    Files.move(data, directory.resolve("gone"));
    try {
      store.close();
    } catch (StoreException e) {
      // It may say so; but it is closed.
    }
    Files.move(directory.resolve("gone"), data);
    RocksStore.open(directory, Fixtures.SMALL).close();
  }
}
