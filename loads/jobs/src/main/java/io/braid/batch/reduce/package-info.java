/**
 * Records with one key made one (section 4.3's reduce partitions): tasks write their records sorted
 * into runs, one for each partition of the keys; each partition is merged and reduced.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.batch.reduce;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
