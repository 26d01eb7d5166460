package io.braid.simulation.workload;

import io.braid.core.data.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Keys that sort as their numbers do, spread over tablets. */
public final class Keys {
  /** How many tablets a table has at least. */
  public static final int TABLETS = 8;

  private Keys() {}

  /** The key of a number below a million. */
  public static String of(long number) {
    return String.format("%06d", number);
  }

  /** Where to split a table with the keys of 0 up to {@code count} into at least eight tablets. */
  public static List<Bytes> splits(int count) {
    List<Bytes> splits = new ArrayList<>();
    for (int i = 1; i < TABLETS; i++) {
      splits.add(Bytes.of(of((long) count * i / TABLETS)));
    }
    return splits.stream().distinct().toList();
  }
}
