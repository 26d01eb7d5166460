/**
 * Rows, columns, cells and moments as people read and type them; shared by the command line, the
 * prompt and the gateway.
 */
@NullMarked
package io.braid.view;

import org.jspecify.annotations.NullMarked;
