@NullMarked
package io.braid.server.coordinator;

import org.jspecify.annotations.NullMarked;
