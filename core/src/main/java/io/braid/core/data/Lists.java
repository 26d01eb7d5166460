package io.braid.core.data;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Lists in arguments and answers: their length, then the items.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Lists {
  private Lists() {}

  public static <T> void encode(Encoder to, List<T> items, BiConsumer<T, Encoder> item) {
    to.varint(items.size());
    for (T one : items) {
      item.accept(one, to);
    }
  }

  public static <T> List<T> decode(Decoder from, Function<Decoder, T> item) {
    int count = from.count(from.remaining());
    List<T> items = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      items.add(item.apply(from));
    }
    return items;
  }
}
