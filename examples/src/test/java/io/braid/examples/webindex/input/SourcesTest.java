package io.braid.examples.webindex.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourcesTest {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "commons-lang3-3.14.0-javadoc.jar, commons-lang3",
    "commons-lang3-3.17.0-javadoc.jar, commons-lang3",
    "guava-33.2.1-jre-javadoc.jar,     guava",
    "My Site.zip,                      my-site",
    "1.zip,                            1",
    "-.zip,                            site",
    "docs,                             docs",
  })
  void sitesAreNamedWithoutVersionAndClassifier(String file, String name) {
    assertThat(Sources.siteName(Path.of("x", file))).isEqualTo(name);
  }

  @Test
  void severalDirectoriesAreSitesOfTheirOwn() throws IOException {
    Files.writeString(Files.createDirectory(dir.resolve("a")).resolve("i.html"), "a");
    Files.writeString(Files.createDirectory(dir.resolve("b")).resolve("i.html"), "b");

    assertThat(CollectedPages.of(dir.resolve("a"), dir.resolve("b")).bodies)
        .containsOnlyKeys("https://a.corpus/i.html", "https://b.corpus/i.html");
  }

  @Test
  void aBaseIsUsedInsteadOfTheName() throws IOException {
    Path zip = Zips.write(dir.resolve("x.zip"), Map.of("i.html", "a"));
    PageUrl base = PageUrl.parse("https://docs.example.org/x/").orElseThrow();

    Survey survey = Survey.of(Sources.open(List.of(zip), Optional.of(base)));

    assertThat(survey.urls()).containsExactly("https://docs.example.org/x/i.html");
    assertThat(survey.roots()).containsExactly("https://docs.example.org/x/");
  }

  @Test
  void twoReleasesInOneCrawlAreRefused() throws IOException {
    Path old = Zips.write(dir.resolve("x-1.0.jar"), Map.of("i.html", "a"));
    Path young = Zips.write(dir.resolve("x-2.0.jar"), Map.of("i.html", "b"));

    assertThatThrownBy(() -> Sources.open(List.of(old, young), Optional.empty()))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("would both be https://x.corpus/");
  }

  @Test
  void whatIsNoCrawlIsRefused() throws IOException {
    Path text = Files.writeString(dir.resolve("notes.txt"), "just text");
    Path empty = Files.writeString(dir.resolve("empty.jar"), "");

    for (Path path : List.of(text, empty)) {
      assertThatThrownBy(() -> Sources.open(List.of(path), Optional.empty()))
          .isInstanceOf(InputException.class)
          .hasMessageContaining(path.toString());
    }
    Path missing = dir.resolve("missing");
    assertThatThrownBy(() -> Sources.open(List.of(missing), Optional.empty()))
        .as("wrong usage")
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(missing.toString());
  }

  @Test
  void aCrawlWithoutPagesIsRefused() throws IOException {
    Path zip = Zips.write(dir.resolve("x.zip"), Map.of("readme.txt", "a"));
    List<PageSource> sources = Sources.open(List.of(zip), Optional.empty());

    assertThatThrownBy(() -> Survey.of(sources))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("There is no page in " + zip);
  }
}
