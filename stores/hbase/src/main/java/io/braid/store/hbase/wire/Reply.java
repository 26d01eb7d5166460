package io.braid.store.hbase.wire;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.store.TableReplacedException;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer of a region.
 *
 * @param incarnation of the server; a different value is a different process
 * @param opened how many regions the server has opened
 * @param cold whether the region's clock draws nothing yet
 * @param items in the order of the call
 */
public record Reply(long incarnation, long opened, boolean cold, List<Item> items) {
  public static final Codec<Reply> CODEC = Codecs.of(Reply::encode, Reply::decode);

  public enum Status {
    /** Executed; the payload is the result. */
    DONE,
    /** Not executed: the region does not hold the row, or not all of the rows. */
    WRONG_REGION,
    /** Not executed: the region cannot now. */
    UNAVAILABLE,
    /** Executed or not. */
    UNKNOWN,
    /** The procedure threw and changed nothing; the payload is the text. */
    THREW,
    /** A family is unknown; nothing changed. */
    UNKNOWN_FAMILY,
    /**
     * The procedure met a cell that it could not read, and changed nothing; the text says which.
     */
    DAMAGED,
    /** The table was created later than what was asked for; nothing happened. */
    REPLACED
  }

  public record Item(Status status, Bytes payload) {
    public static Item of(Status status, String text) {
      return new Item(status, Bytes.ofAnyText(text));
    }

    public static Item of(TableReplacedException replaced) {
      return new Item(
          Status.REPLACED,
          new Encoder(32).text(replaced.table()).varint(replaced.birth()).finish());
    }

    /** Returns the exception of an item that is {@link Status#REPLACED}. */
    public TableReplacedException replaced() {
      Decoder from = new Decoder(payload);
      return new TableReplacedException(from.text(), from.varint());
    }

    public String text() {
      return payload.toUtf8();
    }
  }

  /** The text of an item that named a family which the region does not know. */
  public static String unknownFamily(String table, String family) {
    return "Table " + table + " has no family " + family + ". Create it first.";
  }

  private static Bytes encode(Reply reply) {
    Encoder to = new Encoder(256).int64(reply.incarnation).int64(reply.opened).bool(reply.cold);
    to.varint(reply.items.size());
    reply.items.forEach(item -> to.u8(item.status.ordinal()).bytes(item.payload));
    return to.finish();
  }

  private static Reply decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    long incarnation = from.int64();
    long opened = from.int64();
    boolean cold = from.bool();
    List<Item> items = new ArrayList<>();
    for (int left = from.count(Call.MOST); left > 0; left--) {
      items.add(new Item(Status.values()[from.u8()], from.bytes()));
    }
    from.end();
    return new Reply(incarnation, opened, cold, items);
  }
}
