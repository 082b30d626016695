/** `Link: <…>; rel="next"`: the address of the next page of a list, with everything else as it was asked. */
import type { HttpRequest } from '../message.ts';

export function nextLink({ path, query }: HttpRequest, cursor: string): string {
  const kept = query === '' ? [] : query.split('&').filter((part) => part !== '' && !/^cursor=/.test(part));
  const address = `${path}?${[...kept, `cursor=${encodeURIComponent(cursor)}`].join('&')}`;
  // An address that was sent unencoded must not close the brackets.
  return `<${address.replace(/[<>"\s]/g, encodeURIComponent)}>; rel="next"`;
}
