package io.braid.examples.webindex.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The words of one page that fall into one bucket, with their weights. */
public record Posting(SortedMap<String, Integer> weights) {
  public static final Codec<Posting> CODEC = Codecs.of(Posting::encode, Posting::decode);

  public Posting {
    weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
  }

  /** Returns the weight of one word in an encoded posting; 0 when the word is missing. */
  public static int weight(Bytes encoded, Bytes word) {
    Decoder from = new Decoder(encoded);
    while (from.remaining() > 0) {
      int order = from.bytes().compareTo(word);
      int weight = from.count(Integer.MAX_VALUE);
      if (order >= 0) {
        return order == 0 ? weight : 0;
      }
    }
    return 0;
  }

  /** Words in the order of their bytes. */
  private static Bytes encode(Posting posting) {
    Map<Bytes, Integer> byBytes = new TreeMap<>();
    posting.weights.forEach((word, weight) -> byBytes.put(Bytes.of(word), weight));
    Encoder to = new Encoder(byBytes.size() * 12);
    byBytes.forEach((word, weight) -> to.bytes(word).varint(weight));
    return to.finish();
  }

  private static Posting decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    SortedMap<String, Integer> weights = new TreeMap<>();
    while (from.remaining() > 0) {
      weights.put(from.text(), from.count(Integer.MAX_VALUE));
    }
    return new Posting(weights);
  }
}
