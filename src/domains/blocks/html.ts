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

export const cleanHtml = (html: string): string => sanitizeHtml(html, options);

/** For mails: placeholders may stand for text anywhere, but for an address only as the unsubscribe link. */
export const cleanMailHtml = (html: string): string =>
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
