package io.braid.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {
  @TempDir Path root;
  @TempDir Path out;

  @BeforeEach
  void aSmallRepository() throws IOException {
    file("README.md", "# Braid\n\n[docs](docs/index.md)\n");
    file(
        "docs/index.md",
        """
        # Documentation

        ## Begin

        | page |
        |---|
        | [guide](guide.md#first-steps), [home](../README.md) |

        ## Know

        [why](decisions), [unit](../deploy/a@.service), [elsewhere](https://example.org/x.md)
        """);
    file(
        "docs/guide.md", "# Guide\n\n## First steps\n\n![p](p.svg) [up](#guide)\n\n<b>A & B</b>\n");
    file("docs/p.svg", "<svg/>");
    file("docs/decisions/001-a.md", "# First\n");
    file("docs/decisions/002-b.md", "# Second\n");
    file("deploy/a@.service", "[Unit] <x>\n");
  }

  @Test
  void linksLeadToPagesOfTheSite() throws IOException {
    assertThat(Site.write(root, out)).isEqualTo(7);

    Document index = page("docs/index.html");
    assertThat(index.select("main a:not(.here)").eachAttr("href"))
        .containsExactly(
            "../docs/guide.html#first-steps",
            "../index.html",
            "../docs/decisions.html",
            "../deploy/a@.service.html",
            "https://example.org/x.md");
    for (String link : index.select("main a:not([href^=http]):not(.here)").eachAttr("href")) {
      assertThat(out.resolve("docs").resolve(link.replaceAll("#.*", ""))).exists();
    }
    assertThat(page("docs/guide.html").select("main a:not(.here)").attr("href"))
        .isEqualTo("#guide");
    assertThat(out.resolve("docs/p.svg")).hasContent("<svg/>");
    assertThat(page("deploy/a@.service.html").select("main pre").text()).isEqualTo("[Unit] <x>");
  }

  @Test
  void foldersAreListedByTheTitlesOfTheirPages() throws IOException {
    Site.write(root, out);

    Document listing = page("docs/decisions.html");
    assertThat(listing.title()).isEqualTo("Decisions · Braid");
    assertThat(listing.select("main li").eachText()).containsExactly("First", "Second");
    assertThat(listing.select("main a").eachAttr("href"))
        .containsExactly("../docs/decisions/001-a.html", "../docs/decisions/002-b.html");
  }

  @Test
  void contentsAreThoseOfTheIndex() throws IOException {
    Site.write(root, out);

    Document guide = page("docs/guide.html");
    assertThat(guide.select("#contents h2").eachText()).containsExactly("Begin", "Know");
    assertThat(guide.select("#contents a[aria-current]").eachText()).containsExactly("Guide");
    assertThat(guide.select("#neighbours [rel=next]").attr("href")).isEqualTo("../index.html");
    assertThat(guide.title()).isEqualTo("Guide · Braid");
    assertThat(Files.readString(out.resolve("search.js")))
        .contains("[\"docs/guide.html#first-steps\",\"Guide\",\"First steps\"");
  }

  @Test
  void pagesAskNoOtherHostForAnything() throws IOException {
    Site.write(root, out);

    for (String asked :
        page("docs/guide.html").select("script[src],link[href],img[src]").stream()
            .map(element -> element.attr("src") + element.attr("href"))
            .toList()) {
      assertThat(asked).doesNotContain(":");
      assertThat(out.resolve("docs").resolve(asked)).exists();
    }
  }

  @Test
  void javadocIsLinkedWhereItIs() throws IOException {
    Site.write(root, out);
    assertThat(page("docs/guide.html").getElementById("javadoc")).isNull();

    Files.createDirectory(out.resolve("apidocs"));
    Files.writeString(out.resolve("apidocs/index.html"), "Javadoc");
    Site.write(root, out);
    assertThat(page("docs/guide.html").select("#javadoc").attr("href"))
        .isEqualTo("../apidocs/index.html");
  }

  @Test
  void deadLinkIsRefusedAndNothingWritten() throws IOException {
    file("docs/guide.md", "# Guide\n## First steps\n[a](gone.md) ![b](gone.svg)\n");

    assertThatThrownBy(() -> Site.write(root, out))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("docs/guide.md: links to gone.md, which is not there")
        .hasMessageContaining("docs/guide.md: links to gone.svg");
    assertThat(out).isEmptyDirectory();
  }

  @Test
  void deadAnchorIsRefused() throws IOException {
    file("docs/guide.md", "# Guide\n## Other steps\n[a](#none) [b](index.md#know)\n");

    assertThat(Book.read(root).problems())
        .extracting(Problem::toString)
        .containsExactly(
            "docs/index.md: links to #first-steps of docs/guide.md, where no heading has it. Its"
                + " headings are guide, other-steps.",
            "docs/guide.md: links to #none of docs/guide.md, where no heading has it. Its headings"
                + " are guide, other-steps.");
  }

  @Test
  void linkOutOfTheRepositoryIsDead() throws IOException {
    Path outside = root.resolveSibling("outside-" + root.getFileName() + ".md");
    Files.writeString(outside, "# Outside\n");
    try {
      file("docs/guide.md", "# Guide\n## First steps\n[a](../../" + outside.getFileName() + ")\n");

      assertThat(Book.read(root).problems()).hasSize(1);
    } finally {
      Files.delete(outside);
    }
  }

  @Test
  void documentThatNobodyLinksToIsAProblem() throws IOException {
    file("docs/lost.md", "# Lost\n");

    assertThat(Book.read(root).problems())
        .extracting(Problem::source)
        .containsExactly("docs/lost.md");
  }

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Document page(String address) throws IOException {
    return Jsoup.parse(out.resolve(address).toFile());
  }
}
