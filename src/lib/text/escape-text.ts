/** Escaping of text for HTML, and for single-line contexts such as mail headers; truncation of texts that are stored. */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Replaces line breaks, control characters and bidirectional overrides by a space, and truncates to `max` characters. */
export const toSingleLine = (text: string, max = 400): string =>
  [...text.replace(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()].slice(0, max).join('');

/** The first `max` UTF-16 code units, without the first half of a surrogate pair at the end: PostgreSQL rejects it in JSON. */
export const truncateText = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
