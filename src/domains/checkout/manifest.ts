/** Manifest of checkout: registrations with other domains. Read by scripts/gather.ts. */
import './product-fields/product-prices.ts';
import './product-fields/variant-price.ts';
