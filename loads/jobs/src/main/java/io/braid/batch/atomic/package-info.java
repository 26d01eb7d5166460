/** Loads that become visible at one commit timestamp, while others read and write. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.batch.atomic;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
