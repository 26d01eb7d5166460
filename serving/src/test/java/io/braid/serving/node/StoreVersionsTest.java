package io.braid.serving.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.ServingException;
import io.braid.serving.StoreNames;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.chunk.Search;
import io.braid.serving.files.TwinFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults 49, 50 and 51: which version is live, and which may become so. */
@SuppressWarnings("NullAway.Init")
class StoreVersionsTest {
  @TempDir Path root;

  private NodeDirectory node;
  private StoreVersions versions;

  @BeforeEach
  void open() throws IOException {
    node = NodeDirectory.own(root.resolve("node"), new SystemSeams());
    versions = node.store(NodeFixture.STORE);
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  private ServedStore serve() throws IOException {
    return ServedStore.open(versions, Search.BINARY);
  }

  private String value(ServedStore store) {
    return store.get(NodeFixture.key(0)).orElseThrow().toUtf8();
  }

  /** Fault 49: not the highest number on disk is served, but what was swapped in. */
  @Test
  void afterACrashBeforeThePointerChangedTheOldVersionIsServed() throws IOException {
    NodeFixture.add(root, versions, 2, 10);
    try (ServedStore store = serve()) {
      store.swap(2, false);
    }
    NodeFixture.add(root, versions, 3, 10);
    Files.writeString(versions.path().resolve("latest.new"), "half a poin");
    Files.createDirectories(versions.path().resolve("fetching-4"));
    Files.createDirectories(versions.path().resolve("version-9"));
    try (ServedStore store = serve()) {
      assertThat(store.version()).isEqualTo(2);
      assertThat(value(store)).isEqualTo("value 2");
    }
    assertThat(versions.versions())
        .extracting(VersionInfo::state)
        .containsExactly(
            VersionInfo.State.LIVE, VersionInfo.State.FETCHED, VersionInfo.State.BROKEN);
    assertThat(versions.next()).isEqualTo(10);
  }

  @Test
  void aDamagedPointerIsNotGuessedAround() throws IOException {
    for (long version : List.of(1L, 2L)) {
      NodeFixture.add(root, versions, version, 10);
      versions.swap(version);
    }
    Path latest = versions.path().resolve("latest");
    byte[] right = Files.readAllBytes(latest);
    for (int bit = 0; bit < 200 * 8; bit++) {
      byte[] wrong = right.clone();
      wrong[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(latest, wrong);
      assertThat(versions.live()).isEqualTo(2);
      wrong[right.length / 2 + 50] ^= 1;
      Files.write(latest, wrong);
      if (bit < 100 * 8) {
        assertThatThrownBy(versions::live).isInstanceOf(BadManifestException.class);
      }
    }
  }

  @Test
  void aLowerVersionIsRefusedAndTheSameOneIsNoChange() throws IOException {
    for (long version : List.of(1L, 2L, 3L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      store.swap(3, false);
      assertThatThrownBy(() -> store.swap(2, true)).hasMessageContaining("roll back");
      store.swap(3, false);
      assertThat(versions.latest().served()).containsExactly(3L);
    }
    Path late = NodeFixture.build(root, 0, 10);
    DurableFiles.deleteTree(versions.directory(2));
    assertThatThrownBy(() -> NodeFixture.fetch(versions, late, 2))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED))
        .hasMessageContaining("below the live version 3");
  }

  @Test
  void anEmptyOrSuspiciouslySmallVersionIsRefusedUnlessForced() throws IOException {
    NodeFixture.add(root, versions, 1, 0);
    NodeFixture.add(root, versions, 2, 1000);
    NodeFixture.add(root, versions, 3, 499);
    try (ServedStore store = serve()) {
      assertThatThrownBy(() -> store.swap(1, false)).hasMessageContaining("suspiciously few");
      assertThat(store.version()).isZero();
      store.swap(2, false);
      assertThatThrownBy(() -> store.swap(3, false)).hasMessageContaining("at least 500");
      assertThat(value(store)).isEqualTo("value 2");
      store.swap(3, true);
      assertThat(value(store)).isEqualTo("value 3");
    }
  }

  /** Fault 50: what was damaged after the fetch does not go live. */
  @Test
  void aVersionThatWasDamagedOnDiskDoesNotGoLive() throws IOException {
    NodeFixture.add(root, versions, 1, 100);
    Path file = versions.directory(1).resolve("0_0_0.data");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    try (ServedStore store = serve()) {
      assertThatThrownBy(() -> store.swap(1, true)).hasMessageContaining("0_0_0.data");
      assertThat(versions.live()).isZero();
    }
  }

  @Test
  void rollbackGoesWhereTheStoreReallyWas() throws IOException {
    for (long version = 1; version <= 4; version++) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      assertThatThrownBy(() -> store.rollBack(0))
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED));
      store.swap(1, false);
      store.swap(2, false);
      store.swap(4, false);
      assertThatThrownBy(() -> store.rollBack(3)).hasMessageContaining("never live at version 3");
      assertThat(store.rollBack(0)).isEqualTo(2);
      assertThat(value(store)).isEqualTo("value 2");
      assertThat(store.rollBack(0)).isEqualTo(1);
      assertThatThrownBy(() -> store.rollBack(0)).hasMessageContaining("no earlier version");
    }
    try (ServedStore store = serve()) {
      assertThat(value(store)).isEqualTo("value 1");
    }
  }

  @Test
  void oldVersionsGoButBackupsAndPinsStay() throws IOException {
    try (ServedStore store = serve()) {
      for (long version = 1; version <= 5; version++) {
        NodeFixture.add(root, versions, version, 10);
        store.swap(version, false);
        if (version == 1) {
          versions.pin(1, true);
        }
        store.retire(1);
      }
      assertThat(versions.numbers()).containsExactly(1L, 4L, 5L);
      assertThat(versions.trash().isEmpty()).isFalse();
      versions.trash().empty(1L << 40, () -> false);
      assertThat(versions.trash().isEmpty()).isTrue();
      versions.pin(1, false);
      store.retire(0);
      assertThat(versions.numbers()).containsExactly(5L);
      assertThatThrownBy(() -> store.rollBack(0))
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED));
    }
  }

  /** Fault 51: names that would lead elsewhere. */
  @Test
  void strangeNamesNumbersAndLinksAreRefused() throws IOException {
    for (String name : List.of("..", ".", "", "a/b", "/etc", "-x", "a\\b", "a\0", "a".repeat(65))) {
      assertThatThrownBy(() -> node.store(name)).isInstanceOf(IllegalArgumentException.class);
    }
    for (String number : List.of("0", "-1", "1e9", "9999999999999999999", "", "01", "../1")) {
      assertThatThrownBy(() -> StoreNames.version(number))
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (long number : List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE)) {
      assertThatThrownBy(() -> versions.directory(number))
          .isInstanceOf(IllegalArgumentException.class);
    }
    NodeFixture.add(root, versions, 1, 10);
    Files.createSymbolicLink(versions.path().resolve("version-7"), versions.directory(1));
    assertThat(versions.numbers()).containsExactly(1L);
    assertThatThrownBy(() -> versions.whole(7))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED));
    Path data = versions.directory(1).resolve("0_0_0.data");
    Path elsewhere = Files.move(data, root.resolve("elsewhere"));
    Files.createSymbolicLink(data, elsewhere);
    assertThatThrownBy(() -> versions.whole(1)).hasMessageContaining("a link");
  }

  /** Fault 62: one owner at a time. */
  @Test
  void aSecondOwnerIsToldWhoTheFirstIs() {
    assertThatThrownBy(() -> NodeDirectory.own(root.resolve("node"), new SystemSeams()))
        .isInstanceOfSatisfying(
            ServingException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.LOCKED))
        .hasMessageContaining("pid " + ProcessHandle.current().pid());
  }

  /** Fault 48: a swap that was on its way while the push was given up changes nothing. */
  @Test
  void aSwapThatComesAfterItsVersionWasTakenBackIsRefused() throws IOException {
    for (long version : List.of(1L, 2L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      store.swap(1, false);
      store.prepare(2, false);
      assertThat(store.takeBack(2, -1)).isEqualTo(1);
      assertThatThrownBy(() -> store.swap(2, false, "push", Optional.empty(), () -> {}))
          .hasMessageContaining("was taken back before");
      assertThat(versions.live()).isEqualTo(1);
      store.prepare(2, false);
      store.swap(2, false, "push", Optional.empty(), () -> {});
      assertThat(versions.live()).isEqualTo(2);
    }
  }

  /** Fault 48: a node that goes back does not catch up with what it went back from. */
  @Test
  void whatWasRolledBackComesBackByAPushOnly() throws IOException {
    for (long version : List.of(1L, 2L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      store.swap(1, false);
      store.swap(2, false);
      assertThat(rollBack(store, 1, 2)).isEqualTo(1);
      store.prepareAgain(2);
      assertThatThrownBy(() -> store.versions().refuseTakenBack(2))
          .hasMessageContaining("taken back");
      assertThatThrownBy(() -> store.prepare(2, false)).hasMessageContaining("was rolled back");
      store.prepare(2, true);
      store.versions().refuseTakenBack(2);
    }
  }

  /** Fault 48: what somebody went back from is live again by his word only, and shown as that. */
  @Test
  void whatWasRolledBackIsSwappedInByNameAndForceOnly() throws IOException {
    for (long version : List.of(1L, 2L, 3L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      for (long version : List.of(1L, 2L, 3L)) {
        assertThat(versions.newest()).isEqualTo(3);
        store.swap(version, false);
      }
      store.rollBack(1);
    }
    try (ServedStore store = serve()) {
      assertThat(versions.versions())
          .extracting(VersionInfo::state)
          .containsExactly(
              VersionInfo.State.LIVE, VersionInfo.State.ROLLED_BACK, VersionInfo.State.ROLLED_BACK);
      assertThat(versions.versions())
          .extracting(VersionInfo::problem)
          .containsExactly("", "left out by a rollback to version 1", "rolled back to version 1");
      assertThatThrownBy(versions::newest)
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED))
          .hasMessageContaining("is at version 1 and has nothing newer but what was rolled back")
          .hasMessageContaining("[3, 2]");
      for (long version : List.of(2L, 3L)) {
        assertThatThrownBy(() -> store.swap(version, false))
            .hasMessageContaining("was rolled back")
            .hasMessageContaining("store swap people " + version + " --force");
        assertThatThrownBy(() -> store.rollBack(version)).hasMessageContaining("was rolled back");
      }
      NodeFixture.add(root, versions, 4, 10);
      assertThat(versions.newest()).isEqualTo(4);
      store.swap(3, true);
      assertThat(versions.live()).isEqualTo(3);
      store.swap(4, false);
      assertThat(store.rollBack(0)).as("it is a version as any other again").isEqualTo(3);
    }
  }

  /** Fault 79: files of before reasons were kept say that a version was gone back from. */
  @Test
  void whatAnEarlierBraidHasTakenBackCountsAsRolledBack() throws IOException {
    for (long version : List.of(1L, 2L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    new TwinFile(versions.path().resolve("latest"))
        .write("{\"live\":1,\"flips\":3,\"served\":[1],\"pinned\":[],\"takenBack\":[2]}");
    assertThat(versions.versions().get(1).state()).isEqualTo(VersionInfo.State.ROLLED_BACK);
    assertThatThrownBy(versions::newest).hasMessageContaining("nothing newer");
  }

  /** Fault 48: nor does a node that was started again since. */
  @Test
  void whatWasTakenBackStaysSoWhenTheNodeStartsAgain() throws IOException {
    for (long version : List.of(1L, 2L, 3L, 4L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      store.swap(1, false);
      store.swap(2, false);
      rollBack(store, 1, 2);
      store.takeBack(3, -1);
      rollBack(store, 1, 4);
    }
    try (ServedStore store = serve()) {
      for (long version : List.of(2L, 3L, 4L)) {
        store.prepareAgain(version);
        assertThatThrownBy(() -> store.swap(version, false, "push", Optional.empty(), () -> {}))
            .hasMessageContaining("was taken back before");
      }
      store.prepare(4, true);
    }
    try (ServedStore store = serve()) {
      store.versions().refuseTakenBack(4);
      store.swap(4, true, "push", Optional.empty(), () -> {});
      assertThat(store.takeBack(4, -1)).as("and a swap that is undone").isEqualTo(1);
    }
    try (ServedStore store = serve()) {
      assertThatThrownBy(() -> store.versions().refuseTakenBack(4))
          .hasMessageContaining("taken back");
    }
  }

  /** Fault 49: a version with a file that is not as long as it was does not count as there. */
  @Test
  void aVersionOfWhichAFileIsShorterIsNotWhole() throws IOException {
    NodeFixture.add(root, versions, 1, 100);
    Path file = versions.directory(1).resolve("0_0_0.data");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    assertThatThrownBy(() -> versions.whole(1)).hasMessageContaining("is not whole: 0_0_0.data");
    assertThat(versions.versions())
        .extracting(VersionInfo::state)
        .containsExactly(VersionInfo.State.BROKEN);
  }

  /** Fault 52: nobody begins to read in a version that was gone back from. */
  @Test
  void aVersionThatWasGoneBackFromIsNotReadByItsNumber() throws IOException {
    for (long version : List.of(1L, 2L, 3L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      store.swap(1, false);
      store.swap(2, false);
      store.rollBack(0);
      assertThatThrownBy(() -> store.lease(2)).hasMessageContaining("cannot be read here any more");
      store.swap(3, false);
      store.takeBack(3, -1);
      assertThatThrownBy(() -> store.lease(3)).hasMessageContaining("cannot be read here any more");
      store.lease(1).close();
    }
  }

  /** Fault 52: who began in a version reads on in it, whichever is live by then. */
  @Test
  void aReaderThatNamesAVersionReadsInThatOne() throws IOException {
    for (long version : List.of(1L, 2L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      store.swap(1, false);
      store.swap(2, false);
      for (long version : List.of(1L, 2L)) {
        try (Lease lease = store.lease(version)) {
          assertThat(lease.version()).isEqualTo(version);
        }
      }
    }
  }

  private static long rollBack(ServedStore store, long version, long from) throws IOException {
    return store.rollBack(version, new LiveVersion(from, -1), () -> {});
  }

  /** Fault 52: a rollback that comes late, or a second time, leaves a newer version alone. */
  @Test
  void aRollbackOfAVersionThatIsNotLiveAnyMoreIsRefused() throws IOException {
    for (long version : List.of(1L, 2L, 3L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      store.swap(1, false);
      store.swap(2, false);
      assertThat(rollBack(store, 1, 2)).isEqualTo(1);
      assertThat(rollBack(store, 1, 2)).as("done already").isEqualTo(1);
      store.swap(3, false);
      assertThatThrownBy(() -> rollBack(store, 1, 2)).hasMessageContaining("at version 3 by now");
      assertThat(versions.live()).isEqualTo(3);
    }
  }

  /** Fault 52: also where the version that it was to go back from is live again by then. */
  @Test
  void aRollbackThatComesLateIsRefusedWhereItsVersionIsLiveAgain() throws IOException {
    for (long version : List.of(1L, 2L, 3L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    LiveVersion late;
    try (ServedStore store = serve()) {
      store.swap(1, false);
      store.swap(2, false);
      late = versions.seen();
      store.swap(3, false);
      assertThat(store.rollBack(2)).isEqualTo(2);
      assertThatThrownBy(() -> store.rollBack(1, late, () -> {}))
          .hasMessageContaining("made live since");
    }
    try (ServedStore store = serve()) {
      assertThatThrownBy(() -> store.rollBack(1, late, () -> {}))
          .as("nor after a restart")
          .hasMessageContaining("made live since");
      LiveVersion now = versions.seen();
      assertThat(store.rollBack(1, now, () -> {})).isEqualTo(1);
      assertThat(store.rollBack(1, now, () -> {})).as("done already").isEqualTo(1);
    }
  }

  /** Fault 48: what has yet to come was to be rolled back, but the live version changed since. */
  @Test
  void aLateRollbackOfAVersionThatHasYetToComeIsRefused() throws IOException {
    for (long version : List.of(1L, 2L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      store.swap(1, false);
      LiveVersion late = new LiveVersion(3, versions.seen().flips());
      store.swap(2, false);
      store.rollBack(1);
      assertThatThrownBy(() -> store.rollBack(1, late, () -> {}))
          .hasMessageContaining("made live since");
      store.versions().refuseTakenBack(3);
    }
  }

  /** Fault 48: an undo undoes the swap that it was meant for, not a later one of that version. */
  @Test
  void anUndoThatComesLateLeavesALaterSwapAlone() throws IOException {
    for (long version : List.of(1L, 2L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      store.swap(1, false);
      long flips = versions.seen().flips();
      store.swap(2, false);
      assertThat(store.takeBack(2, flips)).isEqualTo(1);
      store.prepare(2, false);
      assertThat(store.takeBack(2, flips)).as("a second time").isEqualTo(1);
      store.swap(2, false, "again", Optional.empty(), () -> {});
      assertThat(store.takeBack(2, flips)).as("a third time").isEqualTo(2);
      assertThat(versions.live()).isEqualTo(2);
    }
  }

  /** Fault 48: whether a swap is allowed is asked when it is made, not before it is made ready. */
  @Test
  void aSwapThatIsNotAllowedAnyMoreChangesNothing() throws IOException {
    NodeFixture.add(root, versions, 1, 10);
    try (ServedStore store = serve()) {
      ServedStore.Condition lost =
          () -> {
            throw new ServingException(ErrorCode.VERSION_REFUSED, "lost its lease");
          };
      assertThatThrownBy(() -> store.swap(1, false, "push", Optional.empty(), lost))
          .hasMessageContaining("lost its lease");
      assertThat(versions.live()).isZero();
    }
  }

  /** Fault 50: what was damaged, cleared away and fetched again is not read as it was before. */
  @Test
  void aPreparedVersionThatWasFetchedAgainIsMappedAnew() throws IOException {
    NodeFixture.add(root, versions, 1, 10);
    try (ServedStore store = serve()) {
      store.prepare(1, false);
      Path data = versions.directory(1).resolve("0_0_0.data");
      byte[] bytes = Files.readAllBytes(data);
      for (int i = 16; i < bytes.length - 64; i++) {
        bytes[i] ^= 1;
      }
      try (FileChannel channel = FileChannel.open(data, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(bytes));
      }
      NodeFixture.fetch(versions, root.resolve("built-1-10/node-0"), 1);
      store.swap(1, false);
      assertThat(value(store)).isEqualTo("value 1");
    }
  }

  /** Fault 49: what is pinned while versions are swapped does not write an old state back. */
  @Test
  void aPinWhileAVersionIsSwappedTakesNothingBack() throws Exception {
    for (long version : List.of(1L, 2L, 3L)) {
      NodeFixture.add(root, versions, version, 10);
    }
    try (ServedStore store = serve()) {
      store.swap(1, false);
      AtomicBoolean end = new AtomicBoolean();
      Thread pins =
          new Thread(
              () -> {
                while (!end.get()) {
                  try {
                    node.store(NodeFixture.STORE).pin(3, true);
                    node.store(NodeFixture.STORE).pin(3, false);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
              });
      pins.start();
      try {
        for (int i = 0; i < 60; i++) {
          store.swap(2, true);
          assertThat(versions.live()).isEqualTo(2);
          store.rollBack(0);
          assertThat(versions.live()).isEqualTo(1);
        }
      } finally {
        end.set(true);
        pins.join();
      }
      assertThat(versions.live()).isEqualTo(store.version());
    }
  }
}
