/** Manifest of checkout: registrations with other domains. Read by scripts/gather.ts. */
import './product-fields/product-price-fields.ts';
import './product-fields/price-facet-currency-fields.ts';
import './product-fields/variant-price-field.ts';
