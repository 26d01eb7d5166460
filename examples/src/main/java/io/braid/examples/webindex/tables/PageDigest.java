package io.braid.examples.webindex.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.examples.webindex.page.PageText;
import io.braid.examples.webindex.page.Words;

/**
 * The data by which a page is compared with others: the hashes of its bytes and its text, and its
 * size.
 *
 * @param content the SHA-256 of its bytes
 * @param text the SHA-256 of its normalised text ({@link PageText#normalised})
 * @param words how many words there are in it
 */
public record PageDigest(String url, Bytes content, Bytes text, int words) {
  public static final Codec<PageDigest> CODEC = Codecs.of(PageDigest::encode, PageDigest::decode);

  public static PageDigest of(String url, Bytes body, PageText text) {
    return new PageDigest(
        url,
        PageId.sha256(body),
        PageId.sha256(Bytes.ofAnyText(text.normalised())),
        Words.of(text.visible()).size());
  }

  private static Bytes encode(PageDigest digest) {
    return new Encoder(160)
        .text(digest.url)
        .bytes(digest.content)
        .bytes(digest.text)
        .varint(digest.words)
        .finish();
  }

  private static PageDigest decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new PageDigest(from.text(), from.bytes(), from.bytes(), from.count(Integer.MAX_VALUE));
  }
}
