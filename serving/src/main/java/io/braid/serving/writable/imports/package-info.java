/**
 * The knowledge of a replica about imports into read-write stores, and how imports hold off writes.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.serving.writable.imports;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
