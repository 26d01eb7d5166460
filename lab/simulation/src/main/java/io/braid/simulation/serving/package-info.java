/**
 * Nodes of served stores and of read-write stores (Voldemort, sections 3.1 and 4.3), over a network
 * that loses, repeats and delays.
 */
@NullMarked
package io.braid.simulation.serving;

import org.jspecify.annotations.NullMarked;
