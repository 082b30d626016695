/** Manifest of relation fields between domains that do not import each other: registrations with other domains. Read by scripts/gather.ts. */
import './group-member-name.ts';
import './business-products.ts';
