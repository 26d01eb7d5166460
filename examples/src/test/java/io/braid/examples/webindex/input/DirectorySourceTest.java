package io.braid.examples.webindex.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectorySourceTest {
  @TempDir Path dir;

  @Test
  void pagesStandUnderTheirRelativePaths() throws IOException {
    write("site/index.html", "one");
    write("site/deep/er/x.htm", "two");
    write("site/style.css", "no");
    write("site/page.HTML", "no");

    assertThat(CollectedPages.of(dir.resolve("site")).bodies)
        .containsExactly(
            Map.entry("https://corpus/deep/er/x.htm", "two"),
            Map.entry("https://corpus/index.html", "one"));
  }

  @Test
  void linksThatLeaveTheDirectoryAreSkipped() throws IOException {
    write("secret.html", "not yours");
    write("outside/x.html", "nor this");
    write("site/real.html", "page");
    Files.createSymbolicLink(dir.resolve("site/leak.html"), dir.resolve("secret.html"));
    Files.createSymbolicLink(dir.resolve("site/tree"), dir.resolve("outside"));
    Files.createSymbolicLink(dir.resolve("site/alias.html"), Path.of("real.html"));
    Files.createSymbolicLink(dir.resolve("site/loop"), dir.resolve("site"));

    CollectedPages pages = CollectedPages.of(dir.resolve("site"));

    assertThat(pages.bodies)
        .containsOnlyKeys("https://corpus/alias.html", "https://corpus/real.html");
    assertThat(pages.skipped).containsExactly("is a link that leads out of the directory");
  }

  @Test
  void hugeFilesAreSkipped() throws IOException {
    write("site/big.html", "x".repeat(PageSource.MAX_PAGE_BYTES + 1));

    CollectedPages pages = CollectedPages.of(dir.resolve("site"));

    assertThat(pages.bodies).isEmpty();
    assertThat(pages.skipped).containsExactly("is larger than 8388608 bytes");
  }

  private void write(String path, String text) throws IOException {
    Path file = dir.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
