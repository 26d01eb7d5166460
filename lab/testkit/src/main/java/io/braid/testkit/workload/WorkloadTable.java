package io.braid.testkit.workload;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of a workload; its rows are numbered.
 *
 * @param splits where its tablets begin, the first one left out
 */
public record WorkloadTable(String name, String family, List<Bytes> splits) {

  /** A table for the rows from 0 up to {@code rows}, in tablets of equal width. */
  static WorkloadTable of(String name, String family, long rows, int tablets) {
    List<Bytes> splits = new ArrayList<>();
    for (int i = 1; i < tablets; i++) {
      splits.add(key(rows / tablets * i + rows % tablets * i / tablets));
    }
    return new WorkloadTable(name, family, splits.stream().distinct().toList());
  }

  /** Creates the table and cuts it; does nothing where that was done before. */
  public void createIn(CellStore store) {
    store.ensureTable(Families.transactional(name, List.of(family)));
    splits.forEach(split -> store.splitTablet(name, split));
  }

  Row row(long number) {
    return Row.of(name, key(number));
  }

  /** Keys sort as their numbers do. */
  static Bytes key(long number) {
    return Bytes.of(String.format("%019d", number));
  }
}
