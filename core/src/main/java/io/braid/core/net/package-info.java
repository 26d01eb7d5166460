/**
 * The common parts of all servers: TLS from files, and bounds on data that clients send or do not
 * read.
 */
@NullMarked
package io.braid.core.net;

import org.jspecify.annotations.NullMarked;
