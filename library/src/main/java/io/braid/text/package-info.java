/** How people write amounts, times and names, and what they may have meant. */
@NullMarked
package io.braid.text;

import org.jspecify.annotations.NullMarked;
