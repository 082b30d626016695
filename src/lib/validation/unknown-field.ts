/** Message of an unknown field, with the declared name that was probably meant. */
import { formatSuggestion } from '../text/closest-name.ts';

/** PERF: longer names, and the unknown fields after the first ones of a request, get no suggestion. */
const maxLength = 40;
const maxSuggestions = 20;

/** `errorCount` is the number of errors that precede this one. */
export function unknownFieldMessage(
  field: string | number,
  declared: readonly string[],
  errorCount: number,
  kind = 'field',
): string {
  const name = String(field);
  const isSuggested = name.length <= maxLength && errorCount < maxSuggestions;
  return `There is no such ${kind}.${isSuggested ? formatSuggestion(name, declared) : ''}`;
}
