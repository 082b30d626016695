/** Text inside HTML. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Texts of others in one line, such as a header or a row of a mail. */

/** What would end the line or is invisible becomes a space, and so does what turns the direction of what follows. */
export const toSingleLine = (text: string, max = 400): string =>
  [...text.replace(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()].slice(0, max).join('');
