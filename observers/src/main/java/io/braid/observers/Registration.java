package io.braid.observers;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import org.apiguardian.api.API;

/**
 * The entry of an observer in Braid's own table: everything but its code.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record Registration(String name, String table, ColumnName column, boolean weak) {
  static final Codec<Registration> CODEC = Codecs.of(Registration::encode, Registration::decode);

  static Registration of(Observer observer) {
    return new Registration(observer.name(), observer.table(), observer.column(), observer.weak());
  }

  private Bytes encode() {
    return new Encoder().text(name).text(table).column(column).bool(weak).finish();
  }

  private static Registration decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Registration(from.text(), from.text(), from.column(), from.bool());
  }

  @Override
  public String toString() {
    return (weak ? "weak observer " : "observer ") + name + " of " + table + "/" + column;
  }
}
