package io.braid.examples.webindex.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;

/**
 * A page as it was crawled.
 *
 * @param charset the character set that the server named; may be empty
 */
public record StoredPage(String url, String charset, Bytes body) {
  public static final Codec<StoredPage> CODEC = Codecs.of(StoredPage::encode, StoredPage::decode);

  public PageId id() {
    return PageId.of(url);
  }

  private static Bytes encode(StoredPage page) {
    return new Encoder(page.body.length() + 256)
        .text(page.url)
        .text(page.charset)
        .raw(page.body)
        .finish();
  }

  private static StoredPage decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new StoredPage(from.text(), from.text(), from.rest());
  }
}
