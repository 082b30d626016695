/** Repeats these tests on the embedded database. */
import '../support/on-pglite.ts';
import '../retention/retention.test.ts';
