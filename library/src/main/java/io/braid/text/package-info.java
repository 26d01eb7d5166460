/** How people write amounts, times and names, and the words that they may have meant. */
@NullMarked
package io.braid.text;

import org.jspecify.annotations.NullMarked;
