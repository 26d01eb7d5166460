/**
 * What tests of stores and protocols need: {@link io.braid.testkit.MemoryStore}, a store that obeys
 * every law and can lose what was not synced.
 */
@NullMarked
package io.braid.testkit;

import org.jspecify.annotations.NullMarked;
