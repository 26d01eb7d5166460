package io.braid.groups.rows;

import io.braid.core.cells.Hold;
import io.braid.core.cells.HoldPass;
import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import org.apiguardian.api.API;

/**
 * The record of a group in the store: the decision point of its holds. Without a record a hold is a
 * ghost's.
 *
 * @param number the identity of the group: a timestamp, never used again
 * @param epoch raised when another leader takes it over
 * @param owner the liveness token of the process that leads it
 * @param log where its commits are logged, in words
 * @param usedMillis when it was last used, as far as that was written down; milliseconds since 1970
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record GroupRecord(
    String name,
    long number,
    long epoch,
    Row leader,
    GroupState state,
    int members,
    String owner,
    String log,
    long createdMillis,
    long usedMillis) {

  public Hold hold() {
    return new Hold(name, number, epoch, leader);
  }

  public HoldPass pass() {
    return new HoldPass(name, epoch);
  }

  public GroupRecord with(GroupState next, int count) {
    return new GroupRecord(
        name, number, epoch, leader, next, count, owner, log, createdMillis, usedMillis);
  }

  public GroupRecord usedAt(long millis) {
    return new GroupRecord(
        name, number, epoch, leader, state, members, owner, log, createdMillis, millis);
  }

  /** The same group, led by another. */
  public GroupRecord takenOverBy(String token, String ownLog) {
    return new GroupRecord(
        name, number, epoch + 1, leader, state, members, token, ownLog, createdMillis, usedMillis);
  }

  public Bytes encode() {
    return new Encoder(128)
        .u8(1)
        .text(name)
        .varint(number)
        .varint(epoch)
        .row(leader)
        .u8(state.ordinal())
        .varint(members)
        .text(owner)
        .text(log)
        .varint(createdMillis)
        .varint(usedMillis)
        .finish();
  }

  public static GroupRecord decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int version = from.u8();
    if (version != 1) {
      throw new IllegalArgumentException(
          "A record of a group has version " + version + ": a newer release wrote it.");
    }
    return new GroupRecord(
        from.text(),
        from.varint(),
        from.varint(),
        from.row(),
        GroupState.values()[from.count(GroupState.values().length - 1)],
        from.count(Integer.MAX_VALUE),
        from.text(),
        from.text(),
        from.varint(),
        from.varint());
  }
}
