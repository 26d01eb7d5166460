/**
 * Transforms: functions on values that run where the values are, so that a reader of a long value
 * gets the part it wants, and a writer sends what it adds (section 3.1.1).
 */
@NullMarked
package io.braid.serving.transform;

import org.jspecify.annotations.NullMarked;
