package io.braid.cli.shell;

import io.braid.cli.command.OutputOptions;
import io.braid.core.transaction.RowValues;
import io.braid.view.Columns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lines without any drawing, as the verbs of the command line print them; or JSON. */
final class PlainView implements View {
  private final OutputOptions output;

  PlainView(OutputOptions output) {
    this.output = output;
  }

  @Override
  public void say(Map<String, ?> object, String text) {
    output.print(object, text);
  }

  @Override
  public void remark(String text) {
    output.err().println("braid: " + text);
    output.err().flush();
  }

  @Override
  public void rows(List<RowValues> rows) {
    rows.forEach(row -> output.print(Columns.toObject(row), Columns.toText(row)));
  }

  @Override
  public void listing(List<String> header, List<List<String>> lines) {
    for (List<String> line : lines) {
      Map<String, Object> object = new LinkedHashMap<>();
      for (int i = 0; i < header.size(); i++) {
        object.put(header.get(i).replace(' ', '_'), line.get(i));
      }
      output.print(object, String.join("  ", line).stripTrailing());
    }
  }
}
