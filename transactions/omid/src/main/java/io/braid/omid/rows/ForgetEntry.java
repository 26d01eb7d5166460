package io.braid.omid.rows;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;

/**
 * Removes the entry of a transaction from the commit table (algorithm 3: {@code CT.remove}), if it
 * has the expected value. The caller makes sure that the entry is not needed any more. Answers
 * whether there is no entry now.
 */
public final class ForgetEntry implements Procedure<ForgetEntry.Request, Boolean> {
  public static final ForgetEntry INSTANCE = new ForgetEntry();

  /**
   * The entry to remove.
   *
   * @param commit the value that the caller expects in the entry
   */
  public record Request(long start, long commit) {}

  private ForgetEntry() {}

  @Override
  public String name() {
    return "omid.forget-entry";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(CommitEntries.row(request.start));
  }

  @Override
  public Boolean run(RowAccess rows, Request request) {
    Row row = CommitEntries.row(request.start);
    Cell stands = rows.at(row, CommitEntries.COLUMN, CommitEntries.VERSION);
    if (stands == null) {
      return true;
    }
    if (CommitEntries.commit(stands.value()) != request.commit) {
      return false;
    }
    rows.delete(row, CommitEntries.COLUMN, CommitEntries.VERSION);
    return true;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(ForgetEntry::encode, ForgetEntry::decode);
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.of(yes -> Bytes.ofInts(yes ? 1 : 0), bytes -> bytes.at(0) != 0);
  }

  private static Bytes encode(Request request) {
    return new Encoder(24).varint(request.start).varint(request.commit).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(from.varint(), from.varint());
  }
}
