/** The same on the embedded database. */
import '../support/on-pglite.ts';
import '../retention/five-years.test.ts';
