package io.braid.examples.webindex.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.examples.webindex.page.Anchors;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * All links to an address, summed up.
 *
 * @param count how many there are, repeated ones and those of the page itself included
 * @param texts their texts
 * @param cluster the cluster of the page at the address; empty when there is no page
 */
public record Tally(long count, AnchorTexts texts, Bytes cluster) {
  public static final Codec<Tally> CODEC = Codecs.of(Tally::encode, Tally::decode);
  public static final Tally NONE = new Tally(0, AnchorTexts.NONE, Bytes.EMPTY);

  /** Sums up the links, given as all links from one page each. */
  public static Tally of(Collection<Anchors> links, Bytes cluster) {
    long count = 0;
    Map<String, Integer> texts = new TreeMap<>();
    for (Anchors anchors : links) {
      count += anchors.count();
      anchors.texts().forEach(text -> texts.merge(text, 1, Integer::sum));
    }
    return new Tally(count, new AnchorTexts(texts), cluster);
  }

  /** Returns whether there is a page at the address. */
  public boolean hasPage() {
    return !cluster.isEmpty();
  }

  private static Bytes encode(Tally tally) {
    Encoder to = new Encoder(256).varint(tally.count).bytes(tally.cluster);
    tally.texts.encode(to);
    return to.finish();
  }

  private static Tally decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    long count = from.varint();
    Bytes cluster = from.bytes();
    return new Tally(count, AnchorTexts.decode(from), cluster);
  }
}
