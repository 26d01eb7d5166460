/** How people write amounts, times and names, and the words that they may have meant. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.text;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
