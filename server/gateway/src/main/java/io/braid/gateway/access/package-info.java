/** Access control: identities, their grants, and the log of their changes. */
@NullMarked
package io.braid.gateway.access;

import org.jspecify.annotations.NullMarked;
