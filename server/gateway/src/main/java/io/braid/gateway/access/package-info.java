/** Access control: identities, their grants, and the log of their changes. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.gateway.access;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
