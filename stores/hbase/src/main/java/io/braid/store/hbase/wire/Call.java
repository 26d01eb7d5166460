package io.braid.store.hbase.wire;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.store.Durability;
import io.braid.core.store.RowRead;
import java.util.ArrayList;
import java.util.List;

/** A request of a client to a region, or to the server of a region. */
public sealed interface Call {
  /** The version of the messages; a server with another version refuses. */
  int VERSION = 1;

  /** How many items or cells one message may hold. */
  int MOST = 1 << 24;

  /** Runs a procedure once for each argument. */
  record Execute(String table, String procedure, Durability durability, List<Bytes> arguments)
      implements Call {}

  /** Reads rows, each at one instant. */
  record Read(String table, List<RowRead> reads) implements Call {}

  /**
   * Brings a fresh timestamp to the clock of the server.
   *
   * @param incarnation of the server, as an earlier answer told it
   * @param opened how many regions it had opened by then
   */
  record Advance(String table, long timestamp, long incarnation, long opened) implements Call {}

  /**
   * Has a region read again which veils its table has.
   *
   * @param tableId the id of exactly the table that is meant
   * @param version of the veil that is about to be lifted; negative when there is none
   * @param attempt the number of the lift of this veil; the region closes for that lift
   * @param holdMillis for how long the table shall say that it is closing
   */
  record Veils(String table, String tableId, long version, long attempt, long holdMillis)
      implements Call {}

  String table();

  Codec<Call> CODEC = Codecs.of(Call::encode, Call::decode);

  private static Bytes encode(Call call) {
    Encoder to = new Encoder(256).u8(VERSION);
    if (call instanceof Execute execute) {
      to.u8(1).text(execute.table).text(execute.procedure).u8(execute.durability.ordinal());
      to.varint(execute.arguments.size());
      execute.arguments.forEach(to::bytes);
    } else if (call instanceof Read read) {
      to.u8(2).text(read.table).varint(read.reads.size());
      read.reads.forEach(each -> Cells.read(to, each));
    } else if (call instanceof Advance advance) {
      to.u8(3).text(advance.table);
      to.int64(advance.timestamp).int64(advance.incarnation).int64(advance.opened);
    } else if (call instanceof Veils veils) {
      to.u8(4).text(veils.table).text(veils.tableId);
      to.int64(veils.version).int64(veils.attempt).int64(veils.holdMillis);
    }
    return to.finish();
  }

  private static Call decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int version = from.u8();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "The client speaks version "
              + version
              + ", this region server version "
              + VERSION
              + ": install the same release of Braid on both sides.");
    }
    int kind = from.u8();
    String table = from.text();
    return switch (kind) {
      case 1 -> execute(table, from);
      case 2 -> {
        List<RowRead> reads = new ArrayList<>();
        for (int left = from.count(MOST); left > 0; left--) {
          reads.add(Cells.read(table, from));
        }
        yield new Read(table, reads);
      }
      case 3 -> new Advance(table, from.int64(), from.int64(), from.int64());
      case 4 -> new Veils(table, from.text(), from.int64(), from.int64(), from.int64());
      default ->
          throw new IllegalArgumentException("Nothing is known of a call of kind " + kind + ".");
    };
  }

  private static Execute execute(String table, Decoder from) {
    String procedure = from.text();
    Durability durability = Durability.values()[from.u8()];
    List<Bytes> arguments = new ArrayList<>();
    for (int left = from.count(MOST); left > 0; left--) {
      arguments.add(from.bytes());
    }
    return new Execute(table, procedure, durability, arguments);
  }
}
