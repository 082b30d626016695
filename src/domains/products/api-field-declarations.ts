/** Plain fields of a product. Every layer derives its part from these declarations, see src/lib/validation/api-field-declarations.ts. */
import { field } from '../../lib/validation/api-field-declarations.ts';

export const productApiFields = {
  description: field.text({
    max: 50_000,
    default: '',
    description: 'Description for customers; may be empty.',
    inputDescription: 'Description for customers, up to 50,000 characters. Included in search.',
  }),
  category: field.text({
    max: 200,
    default: '',
    column: true,
    description: 'Category; empty without one. Lists can be filtered by it, and tax rates may depend on it.',
    inputDescription:
      'Category, up to 200 characters. Lists can be filtered by it, and tax rates may depend on it.',
  }),
};
