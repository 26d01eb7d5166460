package io.braid.examples.webindex.demo;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.ArrayList;
import java.util.List;

/** How long it took from page written to index updated, in nanoseconds, for each page. */
public final class Latencies {
  static final Codec<Latencies> CODEC = Codecs.of(Latencies::encode, Latencies::decode);

  private final List<Long> nanos = new ArrayList<>();

  void add(long nanosOfOne) {
    nanos.add(nanosOfOne);
  }

  public int count() {
    return nanos.size();
  }

  /**
   * The latency that this part of the pages does not exceed, in milliseconds; 0 when there are
   * none.
   *
   * @param part 0.5 for the median
   */
  public double millis(double part) {
    if (nanos.isEmpty()) {
      return 0;
    }
    List<Long> sorted = nanos.stream().sorted().toList();
    int rank = (int) Math.ceil(part * sorted.size());
    return sorted.get(Math.max(0, rank - 1)) / 1e6;
  }

  private static Bytes encode(Latencies latencies) {
    Encoder to = new Encoder(latencies.nanos.size() * 4);
    latencies.nanos.forEach(to::varint);
    return to.finish();
  }

  private static Latencies decode(Bytes bytes) {
    Latencies latencies = new Latencies();
    for (Decoder from = new Decoder(bytes); from.remaining() > 0; ) {
      latencies.add(from.varint());
    }
    return latencies;
  }
}
