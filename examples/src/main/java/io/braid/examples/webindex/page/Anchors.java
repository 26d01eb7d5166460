package io.braid.examples.webindex.page;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.ArrayList;
import java.util.List;

/**
 * All links from one page to another.
 *
 * @param count how many there are
 * @param texts their texts, each once, in the order of the page; at most {@link #MAX_TEXTS}
 */
public record Anchors(int count, List<String> texts) {
  public static final int MAX_TEXTS = 4;
  public static final int MAX_TEXT_LENGTH = 80;
  public static final Codec<Anchors> CODEC =
      Codecs.of(
          anchors -> {
            Encoder to = new Encoder();
            anchors.encode(to);
            return to.finish();
          },
          Anchors::decode);

  private static final Anchors NONE = new Anchors(0, List.of());

  public Anchors {
    texts = List.copyOf(texts);
  }

  static Anchors none() {
    return NONE;
  }

  /** Returns these links with one more link of this text. */
  Anchors and(String text) {
    String shown =
        text.length() <= MAX_TEXT_LENGTH ? text : text.substring(0, MAX_TEXT_LENGTH - 3) + "...";
    if (shown.isEmpty() || texts.size() >= MAX_TEXTS || texts.contains(shown)) {
      return new Anchors(count + 1, texts);
    }
    List<String> more = new ArrayList<>(texts);
    more.add(shown);
    return new Anchors(count + 1, more);
  }

  void encode(Encoder to) {
    to.varint(count).varint(texts.size());
    texts.forEach(to::text);
  }

  static Anchors decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    Anchors anchors = decode(from);
    from.end();
    return anchors;
  }

  static Anchors decode(Decoder from) {
    int count = from.count(Integer.MAX_VALUE);
    List<String> texts = new ArrayList<>();
    for (int left = from.count(MAX_TEXTS); left > 0; left--) {
      texts.add(from.text());
    }
    return new Anchors(count, texts);
  }
}
