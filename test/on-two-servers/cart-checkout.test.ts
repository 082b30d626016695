/** Repeats these tests with all businesses on the second of two database servers. */
import '../support/on-two-servers.ts';
import '../carts/checkout.test.ts';
