package io.braid.examples.webindex;

import io.braid.App;
import io.braid.Braid;

/** The web index as a program for workers. */
public final class WebIndexApp implements App {
  @Override
  public void register(Braid db) {
    WebIndex.createTables(db);
    WebIndex.OBSERVERS.forEach(db::observe);
  }
}
