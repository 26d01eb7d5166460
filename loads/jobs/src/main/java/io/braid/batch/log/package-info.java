/** Files of a job that grow line by line, each line on the disk before the next step. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.batch.log;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
