package io.braid.percolator.rows;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Lists in arguments and answers: their length, then the items. */
final class Lists {
  private Lists() {}

  static <T> void encode(Encoder to, List<T> items, BiConsumer<T, Encoder> item) {
    to.varint(items.size());
    for (T one : items) {
      item.accept(one, to);
    }
  }

  static <T> List<T> decode(Decoder from, Function<Decoder, T> item) {
    int count = from.count(from.remaining());
    List<T> items = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      items.add(item.apply(from));
    }
    return items;
  }
}
