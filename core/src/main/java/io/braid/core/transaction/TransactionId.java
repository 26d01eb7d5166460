package io.braid.core.transaction;

import io.braid.core.cells.DecisionPoint;
import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.Base64;
import org.apiguardian.api.API;

/**
 * Identifies a transaction that tried to commit. The id is enough to ask for the outcome, by {@link
 * Transactions#outcome Transactions.outcome}, in any process on the database.
 *
 * @param start its start timestamp; for a write of the fast path, the number of its request
 * @param decision the place that records whether the transaction has committed
 */
@API(status = API.Status.STABLE)
public record TransactionId(long start, @API(status = API.Status.INTERNAL) DecisionPoint decision) {

  /**
   * For other packages of Braid.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public TransactionId {}

  /** Prints the id: the start timestamp, a dash, and the decision point. */
  @Override
  public String toString() {
    Encoder to = new Encoder();
    decision.encode(to);
    return start
        + "-"
        + Base64.getUrlEncoder().withoutPadding().encodeToString(to.finish().toArray());
  }

  /**
   * Parses the output of {@link #toString}.
   *
   * @throws IllegalArgumentException when the text is something else
   */
  public static TransactionId parse(String text) {
    int dash = text.indexOf('-');
    try {
      if (dash < 1) {
        throw new IllegalArgumentException("no dash");
      }
      Decoder from =
          new Decoder(Bytes.wrap(Base64.getUrlDecoder().decode(text.substring(dash + 1))));
      TransactionId id =
          new TransactionId(Long.parseLong(text.substring(0, dash)), DecisionPoint.decode(from));
      from.end();
      return id;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no transaction id; they look like 895512345600-AQRhY2N0A2JvYgNiYWwDdXNk.",
          e);
    }
  }
}
