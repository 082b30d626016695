/** Manifest of fields that join two domains which do not import each other, such as `Business.products`. Read by scripts/gather.ts. */
import './group-member-name-field.ts';
import './business-products-field.ts';
import './product-business-field.ts';
