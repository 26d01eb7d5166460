package io.braid;

/**
 * What a program wants done when data changes, so that any process can do it: {@code braid worker
 * --app CLASS} makes an object of the class, which has a public constructor without parameters, and
 * lets it register its observers.
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
public interface App {
  /** Creates the tables that are missing and registers the observers; starts nothing. */
  void register(Braid db);
}
