package io.braid.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives every test of a class a database of its own: a test, or a method that JUnit calls before or
 * after it, takes it as a parameter of type {@link io.braid.Braid}. It lives in memory, behaves as
 * the real one does, and is closed after the test.
 *
 * <pre>{@code
 * @BraidTest(tables = {"people:info", "orders:lines,notes"})
 * class OrdersTest {
 *   @Test
 *   void anOrderIsFound(Braid db) { ... }
 * }
 * }</pre>
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BraidExtension.class)
@API(status = API.Status.STABLE)
public @interface BraidTest {
  /**
   * Tables that are there when a test begins: a name, a colon, and families with commas between.
   */
  String[] tables() default {};

  /** Settings, each as {@code key = value}, as in a configuration file. */
  String[] settings() default {};

  /**
   * Where the database lives: in memory, or in RocksDB in a directory that goes away with the test.
   */
  Kind kind() default Kind.MEMORY;

  /** Where the database of a test lives. */
  enum Kind {
    /** In memory, which is the fastest. */
    MEMORY,

    /** In RocksDB, in a temporary directory: as an embedded database is. */
    ROCKSDB
  }
}
