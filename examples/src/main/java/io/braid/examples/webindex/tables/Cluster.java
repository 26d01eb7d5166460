package io.braid.examples.webindex.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pages with the same bytes, as one.
 *
 * @param canonical the URL of the member with most links; of equal members, the first in order
 * @param size how many members there are
 * @param links how many links lead to any of them: those to duplicates count for the canonical page
 * @param texts the texts of these links
 */
public record Cluster(String canonical, int size, long links, AnchorTexts texts) {
  public static final Codec<Cluster> CODEC = Codecs.of(Cluster::encode, Cluster::decode);

  /** Elects the canonical page; empty when there is no member. */
  public static Optional<Cluster> of(Map<String, Tally> membersByUrl) {
    String canonical = null;
    long most = -1;
    long links = 0;
    List<AnchorTexts> texts = new ArrayList<>();
    for (Map.Entry<String, Tally> member : membersByUrl.entrySet()) {
      long own = member.getValue().count();
      if (canonical == null
          || own > most
          || (own == most && member.getKey().compareTo(canonical) < 0)) {
        canonical = member.getKey();
        most = own;
      }
      links += own;
      texts.add(member.getValue().texts());
    }
    return canonical == null
        ? Optional.empty()
        : Optional.of(new Cluster(canonical, membersByUrl.size(), links, AnchorTexts.merge(texts)));
  }

  private static Bytes encode(Cluster cluster) {
    Encoder to =
        new Encoder(256).text(cluster.canonical).varint(cluster.size).varint(cluster.links);
    cluster.texts.encode(to);
    return to.finish();
  }

  private static Cluster decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Cluster(
        from.text(), from.count(Integer.MAX_VALUE), from.varint(), AnchorTexts.decode(from));
  }
}
