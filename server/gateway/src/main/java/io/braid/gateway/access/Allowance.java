package io.braid.gateway.access;

import io.braid.percolator.garbage.Rate;
import io.braid.text.Units;
import java.util.Optional;

/**
 * How much one identity may ask for, where that differs from what the server allows to each. As
 * text: {@code requests=100/s,transactions=5,memory=8MiB}.
 *
 * @param requests a second
 * @param transactions open at a time
 * @param memory bytes that its open transactions buffer together
 */
public record Allowance(
    Optional<Rate> requests, Optional<Integer> transactions, Optional<Long> memory) {
  /** The usual limits, which the server sets for each identity. */
  public static final Allowance USUAL =
      new Allowance(Optional.empty(), Optional.empty(), Optional.empty());

  /** Reads one that was written. */
  public static Allowance parse(String text) {
    Allowance read = USUAL;
    for (String part : text.split(",")) {
      int equals = part.indexOf('=');
      String key = equals < 0 ? part : part.substring(0, equals);
      String value = part.substring(equals + 1);
      read =
          switch (key) {
            case "requests" ->
                new Allowance(Optional.of(requests(value)), read.transactions, read.memory);
            case "transactions" ->
                new Allowance(read.requests, Optional.of(Units.count(value)), read.memory);
            case "memory" ->
                new Allowance(read.requests, read.transactions, Optional.of(Units.bytes(value)));
            default ->
                throw new IllegalArgumentException(
                    "'" + key + "' is no limit: write requests=, transactions= or memory=.");
          };
    }
    return read;
  }

  /** A rate of requests: {@code 100/s}, or {@code unlimited}. */
  public static Rate requests(String text) {
    Rate rate = Rate.parse(text);
    if (rate.kind() == Rate.Kind.BYTES) {
      throw new IllegalArgumentException("requests are limited as 100/s, or unlimited.");
    }
    return rate;
  }
}
