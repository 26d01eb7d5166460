package io.braid.examples.webindex.page;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;

/**
 * The text of a page that a reader sees.
 *
 * @param title the text of the title element
 * @param visible the text of the body without scripts and styles, each run of white space one blank
 */
public record PageText(String title, String visible) {
  public static final Codec<PageText> CODEC = Codecs.of(PageText::encode, PageText::decode);

  /**
   * The visible text with each character in lower case: pages with the same normalised text say the
   * same. The title is no part of it.
   */
  public String normalised() {
    return lowerCase(visible);
  }

  /** Converts character by character, so that places in the text do not move. */
  public static String lowerCase(String text) {
    char[] chars = text.toCharArray();
    for (int i = 0; i < chars.length; i++) {
      chars[i] = Character.toLowerCase(chars[i]);
    }
    return new String(chars);
  }

  private static Bytes encode(PageText value) {
    return new Encoder(value.visible.length() + 128)
        .text(value.title)
        .raw(Bytes.ofAnyText(value.visible))
        .finish();
  }

  private static PageText decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new PageText(from.text(), from.rest().toUtf8());
  }
}
