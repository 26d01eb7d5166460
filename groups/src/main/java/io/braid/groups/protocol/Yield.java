package io.braid.groups.protocol;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A key that its follower has yielded.
 *
 * @param id counts the yields of the follower; a join-ack-ack must name it (section 4.2)
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record Yield(Row key, long id) {
  public void encode(Encoder to) {
    to.row(key).varint(id);
  }

  public static Yield decode(Decoder from) {
    return new Yield(from.row(), from.varint());
  }

  static List<Row> keys(List<Yield> yields) {
    return yields.stream().map(Yield::key).toList();
  }
}
