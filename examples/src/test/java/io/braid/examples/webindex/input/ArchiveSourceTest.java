package io.braid.examples.webindex.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveSourceTest {
  @TempDir Path dir;

  @Test
  void pagesAreTheEntriesThatEndInHtml() throws IOException {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put("index.html", "one");
    entries.put("a/b c.htm", "two");
    entries.put("script.js", "no");
    entries.put("META-INF/MANIFEST.MF", "no");
    entries.put("trap.html/", "");
    Path jar = Zips.write(dir.resolve("lib-1.2-javadoc.jar"), entries);

    assertThat(CollectedPages.of(jar).bodies)
        .containsExactly(
            Map.entry("https://lib.corpus/index.html", "one"),
            Map.entry("https://lib.corpus/a/b%20c.htm", "two"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x.html", "a/../../x.html", "/etc/x.html", ".."})
  void entriesThatPointOutsideAreRefused(String name) throws IOException {
    Path jar =
        Zips.write(dir.resolve("x.jar"), Map.of(name.equals("..") ? "../.html" : name, "evil"));

    assertThatThrownBy(() -> CollectedPages.of(jar))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("points outside");
  }

  @Test
  void hugeEntriesAreSkippedWhateverTheyPromise() throws IOException {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put("bomb.html", "x".repeat(PageSource.MAX_PAGE_BYTES + 1));
    entries.put("fine.html", "x".repeat(PageSource.MAX_PAGE_BYTES));
    Path jar = Zips.write(dir.resolve("x.zip"), entries);

    CollectedPages pages = CollectedPages.of(jar);

    assertThat(pages.bodies).containsOnlyKeys("https://x.corpus/fine.html");
    assertThat(pages.skipped).containsExactly("is larger than 8388608 bytes");
  }

  @Test
  void aFlippedBitIsFound() throws IOException {
    Path zip = Zips.write(dir.resolve("x.zip"), Map.of("a.html", "some page with some text"));
    byte[] bytes = Files.readAllBytes(zip);
    bytes[45] ^= 1;
    Files.write(zip, bytes);

    assertThatThrownBy(() -> CollectedPages.of(zip))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void aTruncatedArchiveIsRefused() throws IOException {
    Path zip = Zips.write(dir.resolve("x.zip"), Map.of("a.html", "some page with some text"));
    byte[] bytes = Files.readAllBytes(zip);
    Files.write(zip, java.util.Arrays.copyOf(bytes, bytes.length - 10));

    assertThatThrownBy(() -> CollectedPages.of(zip))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void namesThatAreNoUtf8AreReadAllTheSame() throws IOException {
    Path zip =
        Zips.write(dir.resolve("x.zip"), Map.of("grün.html", "page"), StandardCharsets.ISO_8859_1);

    assertThat(CollectedPages.of(zip).bodies).containsOnlyKeys("https://x.corpus/gr%C3%BCn.html");
  }

  @Test
  void absurdlyLongNamesAreSkipped() throws IOException {
    Path zip = Zips.write(dir.resolve("x.zip"), Map.of("x".repeat(3000) + ".html", "page"));

    assertThat(CollectedPages.of(zip).skipped).containsExactly("has an address longer than 2000");
  }
}
