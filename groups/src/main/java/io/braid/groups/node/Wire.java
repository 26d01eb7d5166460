package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.groups.GroupCreationException;
import io.braid.groups.GroupException;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.groups.GroupRequest;
import io.braid.groups.protocol.JoinRefusal;
import io.braid.groups.protocol.Mode;
import io.braid.groups.rows.GroupState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages between clients and group nodes: frames, one request and one answer after another. A
 * request is a byte for its kind, and its arguments. An answer is a status, and a result or an
 * error.
 */
final class Wire {
  static final long MAGIC = 0x4252_4149_4447_4334L; // BRAIDGC4

  static final int CREATE = 1;
  static final int OPEN = 2;
  static final int DETACH = 3;
  static final int DELETE = 4;
  static final int BEGIN = 5;
  static final int GET = 6;
  static final int GET_ROW = 7;
  static final int COMMIT = 8;
  static final int ROLLBACK = 9;
  static final int RUN = 10;
  static final int SHIP = 11;
  static final int LIST = 12;
  static final int SHOW = 13;
  static final int LATEST = 14;
  static final int HAND_OVER = 15;
  static final int PING = 16;
  static final int TAKE_UP = 17;
  static final int NODES = 18;
  static final int NUMBER = 19;
  static final int GIVE_UP = 20;
  static final int SWEEP = 21;
  static final int LED = 22;
  static final int PENDING = 23;

  /** Packets of another node. */
  static final int CARRY = 24;

  static final int DONE = 0;
  static final int ELSEWHERE = 1;
  private static final int CONFLICT = 2;
  private static final int GONE = 3;
  private static final int NOT_CREATED = 4;
  private static final int UNKNOWN = 5;
  private static final int SCRIPT_REFUSED = 6;
  private static final int REFUSED = 7;
  private static final int ARGUMENT = 8;
  private static final int UNAVAILABLE = 9;
  private static final int STATE = 10;
  private static final int NO_TABLE = 11;

  private Wire() {}

  /**
   * The group that a client means. A client that has opened a group means that group, and none that
   * has its name later.
   *
   * @param number of the group; {@link #ANY}: whichever has the name
   */
  record Target(String name, long number) {
    static final long ANY = 0;

    void encode(Encoder to) {
      to.text(name).varint(number);
    }

    static Target decode(Decoder from) {
      return new Target(from.text(), from.varint());
    }

    boolean means(long other) {
      return number == ANY || number == other;
    }
  }

  /** A change of a column; null deletes it. */
  record Change(Row row, ColumnName column, @Nullable Bytes value) {
    void encode(Encoder to) {
      to.row(row).column(column).bool(value != null);
      if (value != null) {
        to.bytes(value);
      }
    }

    static Change decode(Decoder from) {
      return new Change(from.row(), from.column(), from.bool() ? from.bytes() : null);
    }
  }

  static void encode(Encoder to, GroupRequest request) {
    String name = request.name();
    to.text(name == null ? "" : name).row(request.leader()).u8(request.mode().ordinal());
    Lists.encode(to, request.keys(), (key, out) -> out.row(key));
  }

  static GroupRequest request(Decoder from) {
    String name = from.text();
    Row leader = from.row();
    Mode mode = Mode.values()[from.count(Mode.values().length - 1)];
    List<Row> keys = Lists.decode(from, Decoder::row);
    return new GroupRequest(name.isEmpty() ? null : name, leader, keys, mode, joined -> {});
  }

  static void encode(Encoder to, GroupInfo info) {
    to.text(info.name())
        .varint(info.number())
        .varint(info.epoch())
        .row(info.leader())
        .u8(info.state().ordinal())
        .varint(info.members())
        .bool(info.here())
        .text(info.owner())
        .text(info.node())
        .bool(info.heard())
        .varint(info.createdMillis())
        .varint(info.usedMillis())
        .varint(info.commits())
        .varint(info.unshipped())
        .varint(info.clients())
        .text(info.trouble());
  }

  static GroupInfo info(Decoder from) {
    return new GroupInfo(
        from.text(),
        from.varint(),
        from.varint(),
        from.row(),
        GroupState.values()[from.count(GroupState.values().length - 1)],
        from.count(Integer.MAX_VALUE),
        from.bool(),
        from.text(),
        from.text(),
        from.bool(),
        from.varint(),
        from.varint(),
        from.varint(),
        from.varint(),
        from.count(Integer.MAX_VALUE),
        from.text());
  }

  /** Encodes an error as an answer. */
  static Bytes failure(RuntimeException e) {
    String text = e.getMessage() == null ? e.toString() : e.getMessage();
    Encoder to = new Encoder(128);
    if (e instanceof ConflictException conflict) {
      Lists.encode(
          to.u8(CONFLICT),
          conflict.conflicts(),
          (each, out) ->
              out.row(each.row())
                  .column(each.column())
                  .u8(each.cause().ordinal())
                  .varint(each.otherTimestamp()));
    } else if (e instanceof GroupCreationException failed) {
      Lists.encode(to.u8(NOT_CREATED).text(text), failed.notJoined(), JoinRefusal::encode);
    } else {
      to.u8(status(e)).text(text);
    }
    return to.finish();
  }

  private static int status(RuntimeException e) {
    if (e instanceof GroupGoneException) {
      return GONE;
    } else if (e instanceof GroupOutcomeUnknownException) {
      return UNKNOWN;
    } else if (e instanceof GroupException refusal) {
      return refusal.code() == ErrorCode.CONDITION_FAILED ? SCRIPT_REFUSED : REFUSED;
    } else if (e instanceof IllegalArgumentException || e instanceof ArithmeticException) {
      return ARGUMENT;
    } else if (e instanceof UnknownTableException) {
      // To ask again is of no use.
      return NO_TABLE;
    } else if (e instanceof StoreException) {
      return UNAVAILABLE;
    }
    return STATE;
  }

  /** Returns the failure in an answer. */
  static RuntimeException failure(int status, Decoder from) {
    return switch (status) {
      case CONFLICT ->
          new ConflictException(
              Lists.decode(
                  from,
                  each ->
                      new Conflict(
                          each.row(),
                          each.column(),
                          Cause.values()[each.count(Cause.values().length - 1)],
                          each.varint())));
      case GONE -> GroupGoneException.said(from.text());
      case NOT_CREATED ->
          GroupCreationException.said(from.text(), Lists.decode(from, JoinRefusal::decode));
      case UNKNOWN -> GroupOutcomeUnknownException.said(from.text());
      case SCRIPT_REFUSED -> new GroupException(ErrorCode.CONDITION_FAILED, from.text(), null);
      case REFUSED -> new GroupException(from.text(), null);
      case ARGUMENT -> new IllegalArgumentException(from.text());
      case NO_TABLE -> new UnknownTableException(from.text());
      case UNAVAILABLE -> new TabletUnavailableException(from.text());
      default -> new IllegalStateException(from.text());
    };
  }
}
