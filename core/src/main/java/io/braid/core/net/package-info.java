/** What all that listens shares: TLS from files. */
@NullMarked
package io.braid.core.net;

import org.jspecify.annotations.NullMarked;
