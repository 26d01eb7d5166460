package io.braid.examples.webindex.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.examples.webindex.input.PageUrl;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageParserTest {
  private static final PageUrl URL = PageUrl.parse("https://corpus/a/x.html").orElseThrow();

  @Test
  void theVisibleTextIsTheBodyWithoutScriptsAndRunsOfBlanks() {
    ParsedPage page =
        parse(
            """
            <html><head><title> The  Title </title><style>p {}</style></head>
            <body><script>var x;</script><p>Hello,&nbsp;\t <b>Wor</b>ld!</p>
            <!-- remark --><p>Next</p></body></html>
            """);

    assertThat(page.text()).isEqualTo(new PageText("The Title", "Hello, World! Next"));
    assertThat(page.text().normalised()).isEqualTo("hello, world! next");
  }

  @Test
  void pagesThatDifferInMarkupOnlySayTheSame() {
    ParsedPage one = parse("<title>1</title><body><h1>Same</h1>\n<p>text</p>");
    ParsedPage other = parse("<title>2</title><body><div>SAME<br>text</div><!-- x -->");

    assertThat(one.text().normalised()).isEqualTo(other.text().normalised());
  }

  @Test
  void linksAreCountedByTargetWithTheirTexts() {
    ParsedPage page =
        parse(
            """
            <a href="b.html">first</a> <a href="b.html#part">second</a> <a href="b.html">first</a>
            <a href="#here">self</a> <a href="https://other/">out</a>
            <a name="old">no link</a> <a href="mailto:x@y">no page</a> <a href="/img"><img></a>
            <area href="c.html"> <link href="d.html">
            """);

    assertThat(page.links().byTarget())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "https://corpus/a/b.html", new Anchors(3, List.of("first", "second")),
                "https://corpus/a/x.html", new Anchors(1, List.of("self")),
                "https://corpus/img", new Anchors(1, List.of()),
                "https://other/", new Anchors(1, List.of("out"))));
  }

  @Test
  void aBaseElementMovesTheLinks() {
    ParsedPage page =
        parse("<base target=_top><base href=\"/docs/\"><base href=\"/no/\"><a href=i.html>x</a>");

    assertThat(page.links().byTarget()).containsOnlyKeys("https://corpus/docs/i.html");
  }

  @Test
  void anchorTextsAreBounded() {
    ParsedPage page = parse("<a href=b>" + "x".repeat(500) + "</a>" + texts("<a href=b>%d</a>"));

    assertThat(page.links().byTarget())
        .hasEntrySatisfying(
            "https://corpus/a/b",
            anchors -> {
              assertThat(anchors.count()).isEqualTo(21);
              assertThat(anchors.texts())
                  .hasSize(Anchors.MAX_TEXTS)
                  .allMatch(t -> t.length() <= Anchors.MAX_TEXT_LENGTH);
            });
  }

  @Test
  void theCharacterSetComesFromTheServerThenThePageThenUtf8() {
    byte[] latin = "<body>gr\u00fcn".getBytes(StandardCharsets.ISO_8859_1);
    byte[] meta = "<meta charset=iso-8859-1><body>gr\u00fcn".getBytes(StandardCharsets.ISO_8859_1);
    byte[] utf8 = "<body>gr\u00fcn".getBytes(StandardCharsets.UTF_8);

    assertThat(visible(latin, "ISO-8859-1")).isEqualTo("gr\u00fcn");
    assertThat(visible(meta, "")).isEqualTo("gr\u00fcn");
    assertThat(visible(utf8, "")).isEqualTo("gr\u00fcn");
    assertThat(visible(utf8, "no-such-charset")).isEqualTo("gr\u00fcn");
    assertThat(visible(utf8, "\u0000bad name")).isEqualTo("gr\u00fcn");
    assertThat(visible(latin, "")).startsWith("gr").hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\0\0\0",
        "<",
        "<a href=",
        "<meta charset=utf-99><p>x",
        "<base href='::'><a href='%%%'>x</a>",
        "<frameset><frame src=x></frameset>"
      })
  void brokenPagesAreReadAllTheSame(String html) {
    assertThat(parse(html).text().title()).isEmpty();
  }

  @Test
  void codecsReturnWhatWasEncoded() {
    ParsedPage page =
        parse("<title>t</title><a href=b.html>first</a><a href=c.html>\u00fcber</a><p>text");

    assertThat(OutLinks.CODEC.decode(OutLinks.CODEC.encode(page.links()))).isEqualTo(page.links());
    assertThat(PageText.CODEC.decode(PageText.CODEC.encode(page.text()))).isEqualTo(page.text());
  }

  private static String texts(String form) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      all.append(form.formatted(i));
    }
    return all.toString();
  }

  private static ParsedPage parse(String html) {
    return PageParser.parse(URL, Bytes.of(html), "");
  }

  private static String visible(byte[] body, String charset) {
    return PageParser.parse(URL, Bytes.wrap(body), charset).text().visible();
  }
}
