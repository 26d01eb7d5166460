/**
 * What all that listens shares: TLS from files, and bounds for what clients send and do not take.
 */
@NullMarked
package io.braid.core.net;

import org.jspecify.annotations.NullMarked;
