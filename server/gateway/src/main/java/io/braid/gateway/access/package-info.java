/** Who may do what: identities, their grants, and the log of what they changed. */
@NullMarked
package io.braid.gateway.access;

import org.jspecify.annotations.NullMarked;
