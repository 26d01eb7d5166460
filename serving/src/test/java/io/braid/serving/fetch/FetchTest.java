package io.braid.serving.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.ServingException;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.NodeFixture;
import io.braid.serving.node.StoreVersions;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults 46, 50 and 54: what is fetched is what was built, or nothing. */
@SuppressWarnings("NullAway.Init")
class FetchTest {
  private static final SystemSeams SEAMS = new SystemSeams();

  @TempDir Path root;

  private NodeDirectory node;
  private StoreVersions versions;
  private Path built;

  /** A source that is asked for a file from a place on. */
  private interface Opening {
    InputStream open(String name, long offset) throws IOException;
  }

  @BeforeEach
  void open() throws IOException {
    node = NodeDirectory.own(root.resolve("node"), SEAMS);
    versions = node.store(NodeFixture.STORE);
    built = NodeFixture.build(root, BuildPlan.of(NodeFixture.STORE).chunks(3), 1, 2000);
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  private Fetch fetch(Opening opening, long version) {
    Source source =
        new Source() {
          @Override
          public InputStream open(String name, long offset) throws IOException {
            return opening.open(name, offset);
          }

          @Override
          public String toString() {
            return "the source";
          }
        };
    return new Fetch(SEAMS, versions, source, version, new Throttle(SEAMS, 0), 2);
  }

  private InputStream right(String name, long offset) throws IOException {
    return new LocalSource(built).open(name, offset);
  }

  @Test
  void dataComesBeforeIndexAndTheVersionIsWhole() throws IOException {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    Fetch fetch =
        fetch(
            (name, offset) -> {
              order.add(name);
              return right(name, offset);
            },
            1);
    fetch.run();
    assertThat(versions.verify(1).records()).isEqualTo(2000);
    assertThat(fetch.fetched()).isEqualTo(fetch.total()).isEqualTo(versions.whole(1).bytes());
    assertThat(order.get(0)).isEqualTo(ManifestFile.NAME);
    assertThat(order.subList(1, 4)).allMatch(name -> name.endsWith(".data"));
    assertThat(order.subList(4, 7)).allMatch(name -> name.endsWith(".index"));
  }

  /** A machine without memory or threads has fetched nothing. */
  @Test
  void anErrorInOneFileLeavesNoVersion() {
    Fetch fetch =
        fetch(
            (name, offset) -> {
              if (name.endsWith(".index")) {
                throw new OutOfMemoryError("on purpose");
              }
              return right(name, offset);
            },
            1);
    assertThatThrownBy(fetch::run).isInstanceOf(OutOfMemoryError.class);
    assertThat(versions.directory(1)).doesNotExist();
  }

  /** Each file would wait for it as long as the first one. */
  @Test
  void aPeerThatFailedIsAskedNoMore() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    Peer peer =
        new Peer() {
          @Override
          public InputStream open(String name, long offset) throws IOException {
            asked.incrementAndGet();
            throw new IOException("It stands still.");
          }

          @Override
          public FetchState standing() {
            return new FetchState(0, false);
          }
        };
    Peers peers =
        manifest ->
            manifest.files().keySet().stream()
                .collect(Collectors.toMap(name -> name, name -> new Peers.Copy(peer, name)));
    Throttle throttle = new Throttle(SEAMS, 0);
    new Fetch(SEAMS, versions, new LocalSource(built), peers, 1, throttle, 1).run();
    assertThat(asked).hasValue(1);
    versions.verify(1);
  }

  @Test
  void aBrokenConnectionIsTakenUpWhereItBroke() throws IOException {
    List<Long> offsets = Collections.synchronizedList(new ArrayList<>());
    fetch(
            (name, offset) -> {
              byte[] rest = right(name, offset).readAllBytes();
              if (!name.endsWith("0_0_0.data")) {
                return new ByteArrayInputStream(rest);
              }
              offsets.add(offset);
              int part = offsets.size() < 3 ? rest.length / 2 : rest.length;
              return new ByteArrayInputStream(rest, 0, part);
            },
            1)
        .run();
    assertThat(offsets).hasSize(3).isSorted().doesNotHaveDuplicates();
    versions.verify(1);
  }

  @Test
  void aFetchThatFailedGoesOnLater() throws IOException {
    assertThatThrownBy(
            () ->
                fetch(
                        (name, offset) -> {
                          if (name.endsWith(".index")) {
                            throw new IOException("the cable was pulled");
                          }
                          return right(name, offset);
                        },
                        1)
                    .run())
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.FETCH_FAILED))
        .hasMessageContaining("the cable was pulled");
    assertThat(versions.numbers()).isEmpty();
    List<Long> offsets = Collections.synchronizedList(new ArrayList<>());
    fetch(
            (name, offset) -> {
              if (name.endsWith(".data")) {
                offsets.add(offset);
              }
              return right(name, offset);
            },
            1)
        .run();
    assertThat(offsets).hasSize(3).allMatch(offset -> offset > 0);
    versions.verify(1);
  }

  @Test
  void flippedMissingAndAdditionalBytesAreNoticed() throws IOException {
    for (String what : List.of("flip", "more")) {
      assertThatThrownBy(
              () ->
                  fetch(
                          (name, offset) -> {
                            byte[] bytes = right(name, offset).readAllBytes();
                            if (name.equals("0_0_1.data")) {
                              if (what.equals("more")) {
                                bytes = Arrays.copyOf(bytes, bytes.length + 1);
                              } else {
                                bytes[bytes.length / 3] ^= 4;
                              }
                            }
                            return new ByteArrayInputStream(bytes);
                          },
                          1)
                      .run())
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.FETCH_FAILED))
          .hasMessageContaining("0_0_1.data");
      assertThat(versions.numbers()).isEmpty();
    }
    fetch(this::right, 1).run();
    versions.verify(1);
  }

  @Test
  void aManifestThatIsWrongForeignOrEndlessIsRefused() throws IOException {
    assertThatThrownBy(() -> fetch((name, offset) -> InputStream.nullInputStream(), 1).run())
        .isInstanceOf(BadManifestException.class);
    assertThatThrownBy(() -> fetch((name, offset) -> new Zeros(), 1).run())
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED))
        .hasMessageContaining("longer than");
    Files.delete(built.resolve(ManifestFile.NAME));
    assertThatThrownBy(() -> fetch(this::right, 1).run()).hasMessageContaining("not to its end");
    Path foreign = NodeFixture.build(root, BuildPlan.of("other"), 5, 3);
    assertThatThrownBy(() -> fetch(new LocalSource(foreign)::open, 1).run())
        .hasMessageContaining("store other");
  }

  @Test
  void theSameVersionAgainIsNoChangeAndOtherContentIsRefused() throws IOException {
    fetch(this::right, 1).run();
    fetch(this::right, 1).run();
    Path other = NodeFixture.build(root, 2, 10);
    assertThatThrownBy(() -> fetch(new LocalSource(other)::open, 1).run())
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED))
        .hasMessageContaining("other content");
    versions.verify(1);
  }

  @Test
  void aVersionThatWasDamagedHereIsFetchedAgainUnlessItIsLive() throws IOException {
    fetch(this::right, 1).run();
    Path file = versions.directory(1).resolve("0_0_2.index");
    byte[] bytes = Files.readAllBytes(file);
    bytes[20] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> versions.verify(1)).hasMessageContaining("0_0_2.index");
    fetch(this::right, 1).run();
    versions.verify(1);
    versions.swap(1);
    Files.delete(versions.directory(1).resolve("0_0_2.index"));
    assertThatThrownBy(() -> fetch(this::right, 1).run()).hasMessageContaining("higher number");
  }

  @Test
  void whatAnotherFetchLeftThereIsNotMixedIn() throws IOException {
    Path partial = root.resolve("node").resolve(NodeFixture.STORE).resolve("fetching-1");
    Files.createDirectories(partial);
    Files.writeString(partial.resolve("stranger"), "x");
    Files.writeString(partial.resolve("0_0_0.data"), "not the beginning of this file");
    Files.createSymbolicLink(partial.resolve("0_0_1.data"), built.resolve("0_0_1.data"));
    fetch(this::right, 1).run();
    versions.verify(1);
    assertThat(versions.directory(1).resolve("stranger")).doesNotExist();
    assertThat(Files.isSymbolicLink(versions.directory(1).resolve("0_0_1.data"))).isFalse();
  }

  @Test
  void aFileComesInInPiecesAsTheThrottleHasThem() throws IOException {
    Throttle throttle = new Throttle(SEAMS, 12_000_000);
    AtomicInteger most = new AtomicInteger();
    Source watched =
        (name, offset) ->
            new FilterInputStream(right(name, offset)) {
              @Override
              public int read(byte[] bytes, int at, int length) throws IOException {
                if (!name.equals(ManifestFile.NAME)) {
                  most.accumulateAndGet(length, Math::max);
                }
                return super.read(bytes, at, length);
              }
            };
    new Fetch(SEAMS, versions, watched, 1, throttle, 2).run();
    assertThat(most).hasValue(throttle.piece());
    versions.verify(1);
  }

  /** Never ends. */
  private static final class Zeros extends InputStream {
    @Override
    public int read() {
      return 0;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      return length;
    }
  }
}
