package io.braid.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The documentation of this repository. */
class OwnPagesTest {
  private static final Path ROOT = Path.of("../..");
  private static final Pattern MODULES = Pattern.compile(" -pl ([a-z,/-]+)");

  /** What a page tells to build, or has been built, lies where it says. */
  @Test
  void modulesThatAreNamedAreThere() throws IOException {
    for (Page page : Book.read(ROOT).pages()) {
      if (!page.source().endsWith(".md")) {
        continue; // the list of a folder
      }
      Matcher named = MODULES.matcher(Files.readString(ROOT.resolve(page.source())));
      while (named.find()) {
        for (String module : named.group(1).split(",")) {
          assertThat(ROOT.resolve(module + "/pom.xml")).as(page.source()).exists();
        }
      }
    }
  }

  @Test
  void noLinkIsDeadAndNoDocumentLost() throws IOException {
    Book book = Book.read(ROOT);

    assertThat(book.problems()).isEmpty();
    assertThat(book.pages()).extracting(Page::source).contains("docs/faq.md", "GLOSSARY.md");
    assertThat(Contents.of(book)).extracting(Contents.Chapter::title).contains("Operate");
  }
}
