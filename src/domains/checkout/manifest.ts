/** Manifest of checkout: registrations with other domains. Read by scripts/gather.ts. */
import './variant-price.ts';
