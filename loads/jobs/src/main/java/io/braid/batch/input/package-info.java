/**
 * Files, the records in them, and where to cut them. Begin with {@link
 * io.braid.batch.input.InputFile}, a file as its job found it, and {@link
 * io.braid.batch.input.RecordReader}, which reads its records.
 */
@NullMarked
package io.braid.batch.input;

import org.jspecify.annotations.NullMarked;
