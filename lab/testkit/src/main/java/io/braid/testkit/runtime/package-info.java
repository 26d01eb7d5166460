/** Clock, liveness and sleep of processes in tests of one thread, moved by the test's hand. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.testkit.runtime;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
