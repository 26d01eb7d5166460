package io.braid;

/**
 * What a program wants done when data changes, so that any process can do it: {@code braid worker
 * --app} makes an object of the class, which has a public constructor without parameters, and lets
 * it register its observers.
 */
public interface App {
  /** Creates the tables that are missing and registers the observers; starts nothing. */
  void register(Braid db);
}
