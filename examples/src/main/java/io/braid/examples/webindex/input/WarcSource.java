package io.braid.examples.webindex.input;

import io.braid.core.data.Bytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.MessageBody;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;

/**
 * The pages of a WARC file, gzip or not: its responses of type text/html, in the order of the file.
 * A page is the body as a browser would see it, after transfer and content encodings.
 */
final class WarcSource implements PageSource {
  private final Path file;

  WarcSource(Path file) {
    this.file = file;
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public void read(PageSink sink) {
    // A stream cannot be sought beyond its end, so a record that was cut off shows.
    try (InputStream in = Files.newInputStream(file);
        WarcReader reader = new WarcReader(in)) {
      for (Optional<WarcRecord> record = reader.next();
          record.isPresent();
          record = reader.next()) {
        if (record.get() instanceof WarcResponse response) {
          read(response, sink);
        }
        refuseTruncated(record.get().body());
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new InputException("WARC file " + file + " is damaged or cannot be read: " + why(e), e);
    }
  }

  private static String why(Exception e) {
    if (e.getMessage() != null) {
      return e.getMessage() + ".";
    }
    return e instanceof EOFException ? "it ends within a record." : e + ".";
  }

  private static void refuseTruncated(MessageBody record) throws IOException {
    record.consume();
    if (record.position() < record.size()) {
      throw new EOFException(
          "a record ends after " + record.position() + " of " + record.size() + " bytes");
    }
  }

  private static void read(WarcResponse response, PageSink sink) throws IOException {
    String target = response.target().replaceAll("^<|>$", "");
    Optional<PageUrl> url = PageUrl.parse(target);
    if (url.isEmpty()) {
      return;
    }
    HttpResponse http;
    MediaType type;
    byte[] body;
    try {
      http = response.http();
      type = http.contentType();
      if (!isHtml(type)) {
        return;
      }
      body = body(http);
    } catch (IOException | IllegalArgumentException e) {
      sink.skipped(target, "is no HTTP response that can be read: " + e.getMessage());
      return;
    }
    if (body.length > MAX_PAGE_BYTES) {
      sink.skipped(target, "is larger than " + MAX_PAGE_BYTES + " bytes");
      return;
    }
    String charset = type.parameters().getOrDefault("charset", "");
    sink.page(new RawPage(url.get(), url.get().site(), Bytes.wrap(body), charset));
  }

  private static boolean isHtml(MediaType type) {
    return (type.type() + "/" + type.subtype()).toLowerCase(Locale.ROOT).equals("text/html");
  }

  private static byte[] body(HttpResponse http) throws IOException {
    try (InputStream in = http.bodyDecoded().stream()) {
      return in.readNBytes(MAX_PAGE_BYTES + 1);
    }
  }
}
