/**
 * Verbs that test Braid for hours: the simulator, the exhaustive scopes, the model of the whole
 * product, the soak, and the campaign that runs them all. They are in a checkout only.
 */
@NullMarked
package io.braid.lab;

import org.jspecify.annotations.NullMarked;
