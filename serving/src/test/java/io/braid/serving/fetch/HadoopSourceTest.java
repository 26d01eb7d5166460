package io.braid.serving.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.NodeFixture;
import io.braid.serving.node.StoreVersions;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Section 4.3 with Hadoop's client, which here reads its local file system. */
class HadoopSourceTest {
  @TempDir Path root;

  private static Source source(Path folder) throws IOException {
    return HadoopSource.open(URI.create("file://" + folder.toAbsolutePath()));
  }

  @Test
  void aVersionIsFetchedAndAFetchThatBrokeOffGoesOn() throws IOException {
    Path folder = NodeFixture.build(root, 1, 500);
    SystemSeams seams = new SystemSeams();
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), seams)) {
      StoreVersions versions = node.store(NodeFixture.STORE);
      Path partial = Files.createDirectories(versions.directory(1).resolveSibling("fetching-1"));
      byte[] data = Files.readAllBytes(folder.resolve("0_0_0.data"));
      Files.write(partial.resolve("0_0_0.data"), Arrays.copyOf(data, data.length / 2));
      Files.copy(folder.resolve("0_0_0.index"), partial.resolve("0_0_0.index"));
      new Fetch(seams, versions, source(folder), 1, new Throttle(seams, 0), 2).run();
      versions.verifyLookups(1);
      assertThat(versions.verify(1).keys()).isEqualTo(500);
    }
  }

  @Test
  void aFileIsReadFromAPlaceOnAndNotBeyondItsEnd() throws IOException {
    Files.writeString(root.resolve("f"), "0123456789");
    Source source = source(root);
    for (int offset : new int[] {0, 7, 10, 11}) {
      try (InputStream in = source.open("f", offset)) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
            .isEqualTo("0123456789".substring(Math.min(10, offset)));
      }
    }
    assertThatThrownBy(() -> source.open("g", 0)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aSchemeThatNobodyReadsIsRefusedWithAdvice() {
    assertThatThrownBy(() -> HadoopSource.open(URI.create("nosuch://bucket/dir")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("put Hadoop's client there");
    // Hadoop has a name for the class that reads it.
    assertThatThrownBy(() -> HadoopSource.open(URI.create("s3a://bucket/dir")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("s3a://bucket/dir", "hadoop-aws");
  }
}
