/**
 * Rows, columns, cells and moments as people read and type them; shared by the command line, the
 * prompt and the gateway.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.view;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
