/** Braid for tests of those who use it. */
@NullMarked
package io.braid.junit;

import org.jspecify.annotations.NullMarked;
