package io.braid.examples.webindex.input;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A sink that remembers: URL to body as text. */
final class CollectedPages implements PageSink {
  final Map<String, String> bodies = new LinkedHashMap<>();
  final Map<String, String> charsets = new LinkedHashMap<>();
  final List<String> skipped = new ArrayList<>();

  static CollectedPages of(Path... paths) {
    CollectedPages pages = new CollectedPages();
    Sources.open(List.of(paths), Optional.empty()).forEach(source -> source.read(pages));
    return pages;
  }

  @Override
  public void page(RawPage page) {
    bodies.put(page.url().toString(), page.body().toUtf8());
    charsets.put(page.url().toString(), page.charset());
  }

  @Override
  public void skipped(String what, String why) {
    skipped.add(why);
  }
}
