/** Repeats these tests on the embedded database. */
import '../support/on-pglite.ts';
import '../retention/bounded-growth.test.ts';
