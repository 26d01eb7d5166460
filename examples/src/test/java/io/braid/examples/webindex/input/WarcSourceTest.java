package io.braid.examples.webindex.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarcSourceTest {
  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void pagesAreTheResponsesOfTypeHtml(boolean gzip) throws IOException {
    Path warc =
        write(
            gzip,
            record("warcinfo", "", "application/warc-fields", bytes("software: test\r\n")),
            response("https://e.org/a", "Text/HTML; charset=ISO-8859-1", "", bytes("<p>one</p>")),
            response("https://e.org/logo", "image/png", "", bytes("no")),
            record(
                "request", "https://e.org/a", "application/http", bytes("GET / HTTP/1.1\r\n\r\n")),
            record("resource", "https://e.org/r", "text/html", bytes("no")),
            response("<https://e.org/b#x>", "text/html", "", bytes("two")),
            response("dns:e.org", "text/html", "", bytes("no")));

    CollectedPages pages = CollectedPages.of(warc);

    assertThat(pages.bodies)
        .containsExactly(
            Map.entry("https://e.org/a", "<p>one</p>"), Map.entry("https://e.org/b", "two"));
    assertThat(pages.charsets).containsEntry("https://e.org/a", "ISO-8859-1");
    assertThat(pages.skipped).isEmpty();
  }

  @Test
  void bodiesAreAsABrowserSeesThem() throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(bytes("squeezed"));
    }
    Path warc =
        write(
            false,
            response(
                "https://e.org/chunked",
                "text/html",
                "Transfer-Encoding: chunked\r\n",
                bytes("3\r\nchu\r\n4\r\nnked\r\n0\r\n\r\n")),
            response(
                "https://e.org/zipped",
                "text/html",
                "Content-Encoding: gzip\r\n",
                zipped.toByteArray()));

    assertThat(CollectedPages.of(warc).bodies)
        .containsEntry("https://e.org/chunked", "chunked")
        .containsEntry("https://e.org/zipped", "squeezed");
  }

  @Test
  void aResponseThatIsNoHttpIsSkipped() throws IOException {
    Path warc =
        write(
            false,
            record(
                "response",
                "https://e.org/bad",
                "application/http;msgtype=response",
                bytes("\0\1garbage")),
            response("https://e.org/good", "text/html", "", bytes("good")));

    CollectedPages pages = CollectedPages.of(warc);

    assertThat(pages.bodies).containsOnlyKeys("https://e.org/good");
    assertThat(pages.skipped).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTruncatedFileIsRefused(boolean gzip) throws IOException {
    Path warc = write(gzip, response("https://e.org/a", "text/html", "", bytes("x".repeat(5000))));
    byte[] whole = Files.readAllBytes(warc);
    Files.write(warc, Arrays.copyOf(whole, whole.length * 2 / 3));

    assertThatThrownBy(() -> CollectedPages.of(warc))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("damaged");
  }

  private Path write(boolean gzip, byte[]... records) throws IOException {
    Path file = dir.resolve(gzip ? "crawl.warc.gz" : "crawl.warc");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] record : records) {
      if (gzip) {
        try (GZIPOutputStream member = new GZIPOutputStream(out)) {
          member.write(record);
        }
      } else {
        out.write(record);
      }
    }
    return Files.write(file, out.toByteArray());
  }

  private static byte[] response(String url, String type, String headers, byte[] body) {
    String head = "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n" + headers + "\r\n";
    return record("response", url, "application/http;msgtype=response", join(bytes(head), body));
  }

  private static byte[] record(String type, String url, String contentType, byte[] block) {
    String head =
        "WARC/1.0\r\nWARC-Type: "
            + type
            + "\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
            + "WARC-Date: 2026-01-01T00:00:00Z\r\n"
            + (url.isEmpty() ? "" : "WARC-Target-URI: " + url + "\r\n")
            + "Content-Type: "
            + contentType
            + "\r\nContent-Length: "
            + block.length
            + "\r\n\r\n";
    return join(bytes(head), block, bytes("\r\n\r\n"));
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
