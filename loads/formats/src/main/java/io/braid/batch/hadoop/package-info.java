/** Hadoop's file systems as places of inputs and outputs. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.batch.hadoop;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
