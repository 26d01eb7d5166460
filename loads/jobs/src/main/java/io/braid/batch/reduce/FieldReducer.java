package io.braid.batch.reduce;

import io.braid.batch.FailureCode;
import io.braid.batch.mapping.RejectedException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Makes one value of two of a field. */
abstract class FieldReducer {
  private static final String CONCAT = "concat";

  /** The field, and whether it holds numbers. */
  private final Operand operand;

  /**
   * A field that is compared.
   *
   * @param number whether as a number
   */
  record Operand(String field, boolean number) {
    int compare(String one, String other) {
      return number ? decimal(one).compareTo(decimal(other)) : one.compareTo(other);
    }

    void check(@Nullable String value) throws RejectedException {
      if (number && value != null) {
        try {
          decimal(value);
        } catch (NumberFormatException e) {
          throw new RejectedException(
              FailureCode.WRONG_TYPE,
              "Field '" + field + "' is to be reduced as a number and is none: " + value);
        }
      }
    }

    static BigDecimal decimal(String text) {
      return new BigDecimal(text.strip());
    }
  }

  private FieldReducer(Operand operand) {
    this.operand = operand;
  }

  abstract String reduce(String earlier, String later);

  void check(@Nullable String value) throws RejectedException {
    operand.check(value);
  }

  /** Null when there is no such operation. */
  static @Nullable FieldReducer parse(Operand operand, String operation) {
    return switch (operation) {
      case "sum" -> new Sum(operand);
      case "min" -> new Extreme(operand, -1);
      case "max" -> new Extreme(operand, 1);
      case "first" -> new FieldChoice(operand, true);
      case "last" -> new FieldChoice(operand, false);
      case CONCAT -> new Concat(operand, ",");
      default ->
          operation.startsWith(CONCAT + ":")
              ? new Concat(operand, operation.substring(CONCAT.length() + 1))
              : null;
    };
  }

  private static final class Sum extends FieldReducer {
    Sum(Operand operand) {
      super(new Operand(operand.field, true));
    }

    @Override
    String reduce(String earlier, String later) {
      return Operand.decimal(earlier).add(Operand.decimal(later)).toPlainString();
    }
  }

  private static final class Extreme extends FieldReducer {
    private final Operand operand;
    private final int sign;

    Extreme(Operand operand, int sign) {
      super(operand);
      this.operand = operand;
      this.sign = sign;
    }

    @Override
    String reduce(String earlier, String later) {
      return operand.compare(later, earlier) * sign > 0 ? later : earlier;
    }
  }

  private static final class FieldChoice extends FieldReducer {
    private final boolean first;

    FieldChoice(Operand operand, boolean first) {
      super(new Operand(operand.field, false));
      this.first = first;
    }

    @Override
    String reduce(String earlier, String later) {
      return first ? earlier : later;
    }
  }

  private static final class Concat extends FieldReducer {
    private final String separator;

    Concat(Operand operand, String separator) {
      super(new Operand(operand.field, false));
      this.separator = separator;
    }

    @Override
    String reduce(String earlier, String later) {
      return earlier + separator + later;
    }
  }
}
