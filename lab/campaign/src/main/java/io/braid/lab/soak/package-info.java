/**
 * Everything at once for a long time: histories that are judged, key groups, observers, change
 * feeds, loads and swaps in one process, whose memory, threads and open files must stay flat.
 */
@NullMarked
package io.braid.lab.soak;

import org.jspecify.annotations.NullMarked;
