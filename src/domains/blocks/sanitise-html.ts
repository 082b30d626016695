/** Rich text from editors, reduced to what cannot run. */
import sanitizeHtml from 'sanitize-html';

const options: sanitizeHtml.IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'del', 'ins', 'details', 'summary'],
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    '*': ['lang', 'dir'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  // A page opened from a link must not reach back.
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: attribs.target ? { ...attribs, rel: 'noopener noreferrer' } : attribs,
    }),
  },
};

/** Sanitising takes time by tags and entities: so many may all texts of a request, or of a stored record, have together. */
export const maxHtmlMarks = 10_000;

export interface HtmlBudget {
  remainingMarks: number;
}

export const createHtmlBudget = (): HtmlBudget => ({ remainingMarks: maxHtmlMarks });

/** Beginning with a text takes as long as some tags in it. */
const marksPerText = 20;

/** Undefined when there is no room for it. */
export function sanitiseRichText(html: string, room = createHtmlBudget()): string | undefined {
  if (!/[<>&]/.test(html)) return html;
  room.remainingMarks -= marksPerText;
  for (const mark of ['<', '&'])
    for (let at = html.indexOf(mark); at !== -1 && room.remainingMarks >= 0; at = html.indexOf(mark, at + 1))
      room.remainingMarks -= 1;
  return room.remainingMarks < 0 ? undefined : sanitizeHtml(html, options);
}

/** For mails: placeholders may stand for text anywhere, but for an address only as the unsubscribe link. */
export const sanitiseMailHtml = (html: string): string =>
  sanitizeHtml(html, {
    ...options,
    transformTags: {
      '*': (tagName, attribs) => ({
        tagName,
        attribs: Object.fromEntries(
          Object.entries(attribs).filter(
            ([, value]) => !value.includes('{{') || /^\s*\{\{\s*unsubscribeUrl\s*\}\}\s*$/.test(value),
          ),
        ),
      }),
    },
  });
