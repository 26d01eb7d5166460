package io.braid.examples.webindex.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageUrlTest {
  private static final PageUrl PAGE = PageUrl.parse("https://corpus/a/b/c.html?q=1").orElseThrow();

  @ParameterizedTest
  @CsvSource({
    "HTTP://Example.ORG:80/x,          http://example.org/x",
    "https://example.org:443,          https://example.org/",
    "https://example.org:8443/x,       https://example.org:8443/x",
    "https://example.org:/x,           https://example.org/x",
    "https://example.org?q,            https://example.org/?q",
    "https://e.org/a/./b/../c,         https://e.org/a/c",
    "https://e.org/../../c,            https://e.org/c",
    "https://e.org/a/..,               https://e.org/",
    "https://e.org/a/.,                https://e.org/a/",
    "https://e.org/%7eme/%2Bx%2fy%zz,  https://e.org/~me/+x%2Fy%25zz",
    "https://e.org/%2e%2e/c,           https://e.org/c",
    "https://e.org/ä b,                https://e.org/%C3%A4%20b",
    "https://e.org/x?a=%26%7e b,       https://e.org/x?a=%26~%20b",
    "https://e.org/x#y#z,              https://e.org/x",
  })
  void addressesHaveOneNormalForm(String given, String normal) {
    assertThat(PageUrl.parse(given).map(PageUrl::toString)).hasValue(normal);
    assertThat(PageUrl.parse(normal).map(PageUrl::toString)).hasValue(normal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x.html",
        "/x",
        "mailto:a@b.c",
        "javascript:void(0)",
        "ftp://e.org/",
        "https:",
        "https:///x",
        "https://a b/",
        "dns:e.org"
      })
  void whatIsNoWebAddressIsNone(String given) {
    assertThat(PageUrl.parse(given)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "d.html,               https://corpus/a/b/d.html",
    "./d.html,             https://corpus/a/b/d.html",
    "../d.html,            https://corpus/a/d.html",
    "../../../../d.html,   https://corpus/d.html",
    "/d.html,              https://corpus/d.html",
    "//other/d.html,       https://other/d.html",
    "HTTP://other/d.html,  http://other/d.html",
    "?r=2,                 https://corpus/a/b/c.html?r=2",
    "'',                   https://corpus/a/b/c.html?q=1",
    "#part,                https://corpus/a/b/c.html?q=1",
    "d.html#f(int:long),   https://corpus/a/b/d.html",
    "'  d.html ',          https://corpus/a/b/d.html",
  })
  void linksResolveAgainstTheirPage(String reference, String target) {
    assertThat(PAGE.resolve(reference).map(PageUrl::toString)).hasValue(target);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mailto:a@b.c", "javascript:x()", "tel:123", "a:b"})
  void linksOutOfTheWebLeadNowhere(String reference) {
    assertThat(PAGE.resolve(reference)).isEmpty();
  }

  @Test
  void everyCharacterOfAFileNameStandsForItself() {
    PageUrl root = PageUrl.parse("https://corpus/").orElseThrow();

    assertThat(root.file("a b/50%25 #1?.html").toString())
        .isEqualTo("https://corpus/a%20b/50%2525%20%231%3F.html");
    assertThat(root.file("a+b%41.html").toString()).isEqualTo("https://corpus/a+b%2541.html");
    assertThat(root.resolve("a%2Bb.html")).hasValue(root.file("a+b.html"));
  }

  @Test
  void absurdlyLongAddressesAreNoPages() {
    assertThat(PageUrl.parse("https://e.org/" + "x".repeat(PageUrl.MAX_LENGTH))).isEmpty();
    assertThat(PAGE.resolve("?" + "x".repeat(PageUrl.MAX_LENGTH))).isEmpty();
  }
}
