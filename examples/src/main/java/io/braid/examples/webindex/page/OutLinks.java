package io.braid.examples.webindex.page;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The links of a page by the address they lead to, whether there is a page or not. Links of a page
 * to itself are among them.
 */
public record OutLinks(Map<String, Anchors> byTarget) {
  public static final OutLinks NONE = new OutLinks(Map.of());
  public static final Codec<OutLinks> CODEC = Codecs.of(OutLinks::encode, OutLinks::decode);

  public OutLinks {
    byTarget = Collections.unmodifiableMap(new TreeMap<>(byTarget));
  }

  private static Bytes encode(OutLinks links) {
    Encoder to = new Encoder(1024).varint(links.byTarget.size());
    links.byTarget.forEach(
        (target, anchors) -> {
          to.text(target);
          anchors.encode(to);
        });
    return to.finish();
  }

  private static OutLinks decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    Map<String, Anchors> byTarget = new TreeMap<>();
    for (int left = from.count(bytes.length()); left > 0; left--) {
      byTarget.put(from.text(), Anchors.decode(from));
    }
    from.end();
    return new OutLinks(byTarget);
  }
}
