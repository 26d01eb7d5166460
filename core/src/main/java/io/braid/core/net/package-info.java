/**
 * The common parts of all servers: TLS from files, and bounds on data that clients send or do not
 * read.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.core.net;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
