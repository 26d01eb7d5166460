package io.braid.changes.feed;

/** A batch as lines. */
final class FeedLines {
  private FeedLines() {}

  /** Returns the changes, then the resolved timestamp if all changes up to it have come. */
  static String of(String table, ChangeBatch batch) {
    StringBuilder lines = new StringBuilder();
    for (Change change : batch.changes()) {
      lines
          .append(ChangeLine.toText(ChangeLine.of(change, batch.position().lineage())))
          .append('\n');
    }
    if (batch.isEnd()) {
      lines.append(ChangeLine.toText(ChangeLine.resolved(table, batch.position())));
      lines.append('\n');
    }
    return lines.toString();
  }
}
