package io.braid.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The documentation of this repository. */
class OwnPagesTest {
  @Test
  void noLinkIsDeadAndNoDocumentLost() throws IOException {
    Book book = Book.read(Path.of("../.."));

    assertThat(book.problems()).isEmpty();
    assertThat(book.pages()).extracting(Page::source).contains("docs/faq.md", "GLOSSARY.md");
    assertThat(Contents.of(book)).extracting(Contents.Chapter::title).contains("Operate");
  }
}
