/**
 * The data cycle over several nodes (Voldemort, section 4.3): all fetch, all prepare, then all
 * swap, or none.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.serving.push;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
