package io.braid;

import org.apiguardian.api.API;

/**
 * The work of a program when data changes, in a form that any process can run. {@code braid worker
 * --app CLASS} creates an object of the class through its public constructor without parameters,
 * and lets the object register its observers.
 *
 * <pre>{@code
 * public final class WordCount implements App {
 *   @Override
 *   public void register(Braid db) {
 *     db.ensureTable("pages", "content", "stats");
 *     db.observe(Observer.of("count-words", "pages", TEXT, WordCount::count));
 *   }
 * }
 * }</pre>
 */
@API(status = API.Status.STABLE)
public interface App {
  /** Creates the tables that are missing and registers the observers; starts nothing. */
  void register(Braid db);
}
