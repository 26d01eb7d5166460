package io.braid.cli.shell;

import io.braid.core.time.Timestamp;
import io.braid.core.transaction.RowValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How results are shown. */
interface View {
  /** Shows a result that is a sentence. */
  void say(Map<String, ?> object, String text);

  /** Shows a remark, which is not a result. */
  void remark(String text);

  /** Shows rows of a table. */
  void rows(List<RowValues> rows);

  /** Shows lines of as many words as the header has. */
  void listing(List<String> header, List<List<String>> lines);

  default void committed(long timestamp) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("committed", Long.toString(timestamp));
    say(object, "Committed at " + timestamp + " (" + Timestamp.toText(timestamp) + ").");
  }
}
