/**
 * A database for each test of programs that use Braid, with JUnit 5: annotate the class with {@link
 * io.braid.junit.BraidTest}.
 */
@NullMarked
package io.braid.junit;

import org.jspecify.annotations.NullMarked;
