/** TypeScript expression that reads a path of the data of an operation. */
import { isNonNullType } from 'graphql';
import { findSelectionAtPath, type ParsedRoute } from '../route-with-parsed-operation.ts';

/** `updateProduct.product`, with `?.` after fields that may be null. */
export function formatAccessPath(parsedRoute: ParsedRoute, path: string): string {
  const keys = path.split('.');
  return keys
    .map((key, index) => {
      if (index === 0) return key;
      const owner = findSelectionAtPath(parsedRoute, keys.slice(0, index).join('.'));
      return isNonNullType(owner.field.type) ? `.${key}` : `?.${key}`;
    })
    .join('');
}
