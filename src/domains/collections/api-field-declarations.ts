/** Plain fields of a collection. Every layer derives its part from these declarations, see src/lib/validation/api-field-declarations.ts. */
import { field } from '../../lib/validation/api-field-declarations.ts';

export const collectionApiFields = {
  description: field.text({
    max: 50_000,
    default: '',
    description: 'Description of the collection; may be empty.',
    inputDescription: 'Description of the collection, up to 50,000 characters.',
  }),
};
