package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The messages about hints. */
final class HintMessage {
  private static final int MOST = 1 << 16;

  private HintMessage() {}

  /** A hint for any process that takes those of its topic. */
  record HintOffer(String topic, Bytes hint) {}

  static Bytes offer(List<HintOffer> hints) {
    Encoder to = new Encoder(96 * hints.size() + 8).varint(hints.size());
    hints.forEach(each -> to.text(each.topic).bytes(each.hint));
    return to.finish();
  }

  static List<HintOffer> offered(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    List<HintOffer> hints = new ArrayList<>();
    for (int left = from.count(MOST); left > 0; left--) {
      hints.add(new HintOffer(from.text(), from.bytes()));
    }
    from.end();
    return hints;
  }

  /** A request for hints. */
  record HintRequest(Set<String> topics, int most, Duration patience) {
    Bytes encode() {
      Encoder to = new Encoder(256).varint(most).varint(patience.toMillis()).varint(topics.size());
      topics.forEach(to::text);
      return to.finish();
    }

    static HintRequest decode(Bytes bytes) {
      Decoder from = new Decoder(bytes);
      int most = from.count(MOST);
      Duration patience = Duration.ofMillis(from.count(MOST));
      Set<String> topics = new TreeSet<>();
      for (int left = from.count(MOST); left > 0; left--) {
        topics.add(from.text());
      }
      from.end();
      return new HintRequest(topics, most, patience);
    }
  }

  static Bytes answer(List<Bytes> hints) {
    Encoder to = new Encoder(64 * hints.size() + 8).varint(hints.size());
    hints.forEach(to::bytes);
    return to.finish();
  }

  static List<Bytes> answered(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    List<Bytes> hints = new ArrayList<>();
    for (int left = from.count(MOST); left > 0; left--) {
      hints.add(from.bytes());
    }
    from.end();
    return hints;
  }
}
