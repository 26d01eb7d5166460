package io.braid.groups.rows;

import io.braid.core.cells.Families;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import org.apiguardian.api.API;

/**
 * The position up to which the history of a group is in the store. It is stored at the leader key,
 * by the transactions that bring the commits to the store.
 *
 * @param group the number of the group
 * @param position in its log
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record ShippedPosition(long group, long position) {
  /** Encodes both numbers one after the other. */
  public static final Codec<ShippedPosition> CODEC =
      Codecs.of(
          p -> new Encoder(24).varint(p.group).varint(p.position).finish(),
          bytes -> {
            Decoder from = new Decoder(bytes);
            return new ShippedPosition(from.varint(), from.varint());
          });

  /** Among the acknowledgments of observers; no name of an observer begins with a tilde. */
  public static final Column<ShippedPosition> COLUMN =
      Column.of(Families.ACK, "~group/position", CODEC);
}
