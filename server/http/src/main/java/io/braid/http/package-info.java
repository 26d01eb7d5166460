/**
 * HTTP as servers here speak it: an <em>endpoint</em> listens, bounds what may wait and how long,
 * and turns failures into <em>refusals</em>, which are JSON objects with an error and what to do.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.http;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
