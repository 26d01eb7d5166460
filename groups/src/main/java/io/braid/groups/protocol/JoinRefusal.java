package io.braid.groups.protocol;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import org.apiguardian.api.API;

/**
 * A key that did not join a group.
 *
 * @param why in words for people, such as the group that holds it
 */
@API(status = API.Status.STABLE)
public record JoinRefusal(Row key, String why) {
  public void encode(Encoder to) {
    to.row(key).text(why);
  }

  public static JoinRefusal decode(Decoder from) {
    return new JoinRefusal(from.row(), from.text());
  }

  @Override
  public String toString() {
    return key + " " + why;
  }
}
