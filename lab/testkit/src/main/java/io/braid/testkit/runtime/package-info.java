/** Clock, liveness and sleep of processes in tests of one thread, moved by the test's hand. */
@NullMarked
package io.braid.testkit.runtime;

import org.jspecify.annotations.NullMarked;
