/**
 * Loads that become visible at one commit timestamp, while others read and write. Begin with {@link
 * io.braid.batch.atomic.AtomicLoad}, which takes a load to its end; {@link
 * io.braid.batch.atomic.StageWriter} writes its records before.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.batch.atomic;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
