package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Registers an observer unless one of the same name is registered; or removes, pauses or resumes an
 * observer. Returns the state after the change.
 *
 * <p>Each change has a timestamp, and the row keeps the timestamp of the last change. A call with
 * the same or an earlier timestamp is a repeated or late call, and changes nothing. So a removed
 * observer does not come back.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ChangeRegistration
    implements Procedure<ChangeRegistration.Request, ChangeRegistration.RegistrationState> {
  public static final ChangeRegistration INSTANCE = new ChangeRegistration();

  static final Bytes PREFIX = Bytes.of("observer/");
  static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "registration");
  static final ColumnName PAUSED = ColumnName.of(Families.SYSTEM, "paused");
  static final ColumnName CHANGED = ColumnName.of(Families.SYSTEM, "changed");
  static final long VERSION = 1;

  private static final Codec<Request> REQUEST = Codecs.of(Request::encode, Request::decode);
  private static final Codec<RegistrationState> STATE =
      Codecs.of(RegistrationState::encode, RegistrationState::decode);

  /** The kind of change. */
  public enum Kind {
    REGISTER,
    UNREGISTER,
    PAUSE,
    RESUME;

    private static final Kind[] ALL = values();
  }

  /**
   * A change.
   *
   * @param at a timestamp that belongs to this change alone
   * @param wanted the observer to register; null for the other kinds
   * @param wallMillis the time of the change, for people
   */
  public record Request(
      String name, long at, Kind kind, @Nullable Registration wanted, long wallMillis) {
    private Bytes encode() {
      Encoder to = new Encoder().text(name).varint(at).u8(kind.ordinal()).varint(wallMillis);
      return (wanted == null ? to : to.bytes(Registration.CODEC.encode(wanted))).finish();
    }

    private static Request decode(Bytes bytes) {
      Decoder from = new Decoder(bytes);
      String name = from.text();
      long at = from.varint();
      Kind kind = Kind.ALL[Math.min(from.u8(), Kind.ALL.length - 1)];
      long wallMillis = from.varint();
      Registration wanted = kind == Kind.REGISTER ? Registration.CODEC.decode(from.bytes()) : null;
      return new Request(name, at, kind, wanted, wallMillis);
    }
  }

  /**
   * The stored state of an observer.
   *
   * @param registration null when no observer of the name is registered
   */
  public record RegistrationState(@Nullable Registration registration, boolean paused) {
    private Bytes encode() {
      Encoder to = new Encoder().bool(paused).bool(registration != null);
      return (registration == null ? to : to.bytes(Registration.CODEC.encode(registration)))
          .finish();
    }

    private static RegistrationState decode(Bytes bytes) {
      Decoder from = new Decoder(bytes);
      boolean paused = from.bool();
      return new RegistrationState(
          from.bool() ? Registration.CODEC.decode(from.bytes()) : null, paused);
    }
  }

  static Row row(String name) {
    return Row.of(Families.SYSTEM_TABLE, PREFIX.concat(Bytes.of(name)));
  }

  /** Whether an observer of the name is registered. */
  static boolean isRegistered(RowAccess rows, String name) {
    return rows.at(row(name), COLUMN, VERSION) != null;
  }

  @Override
  public String name() {
    return "observers.change-registration";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(row(request.name));
  }

  @Override
  public long highest(Request request) {
    return request.at;
  }

  @Override
  public RegistrationState run(RowAccess rows, Request request) {
    Row row = row(request.name);
    Cell registered = rows.at(row, COLUMN, VERSION);
    RegistrationState before =
        new RegistrationState(
            registered == null ? null : Registration.CODEC.decode(registered.value()),
            rows.at(row, PAUSED, VERSION) != null);
    Cell changed = rows.at(row, CHANGED, VERSION);
    if (changed != null && changed.value().longAt(0) >= request.at) {
      return before;
    }
    rows.put(row, CHANGED, VERSION, Bytes.ofLong(request.at));
    return change(rows, row, request, before);
  }

  private static RegistrationState change(
      RowAccess rows, Row row, Request request, RegistrationState before) {
    Registration wanted = request.wanted;
    switch (request.kind) {
      case REGISTER -> {
        if (before.registration != null || wanted == null) {
          return before;
        }
        rows.put(row, COLUMN, VERSION, Registration.CODEC.encode(wanted));
        return new RegistrationState(wanted, before.paused);
      }
      case UNREGISTER -> {
        rows.delete(row, COLUMN, VERSION);
        rows.delete(row, PAUSED, VERSION);
        rows.delete(row, Backfill.COLUMN, VERSION);
        return new RegistrationState(null, false);
      }
      case PAUSE -> {
        Bytes since = new Encoder().varint(request.wallMillis).finish();
        rows.put(row, PAUSED, VERSION, since);
        return new RegistrationState(before.registration, true);
      }
      case RESUME -> {
        rows.delete(row, PAUSED, VERSION);
        return new RegistrationState(before.registration, false);
      }
    }
    throw new IllegalStateException("No registration is changed by " + request.kind + ".");
  }

  @Override
  public Codec<Request> argumentCodec() {
    return REQUEST;
  }

  @Override
  public Codec<RegistrationState> resultCodec() {
    return STATE;
  }
}
