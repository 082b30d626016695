/** Registers what orders add to other domains: customers, payment events, fields that lead to orders, personal data, erasure. */
import './customers.ts';
import './edges.ts';
import './erase.ts';
import './fulfilment-mutations.ts';
import './origin-types.ts';
import './payments.ts';
import './personal-data.ts';
import './return-mutations.ts';
