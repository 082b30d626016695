/** Sanitises HTML of rich text and mails against cross-site scripting. */
import sanitizeHtml from 'sanitize-html';

const allowedTags = [...sanitizeHtml.defaults.allowedTags, 'img', 'del', 'ins', 'details', 'summary'];

/** Tags that rich text may contain. */
export const richTextTags: ReadonlySet<string> = new Set(allowedTags);

/** Attributes that rich text may contain, by tag; `*`: of all tags. */
export const richTextAttributes: Readonly<Record<string, string[]>> = {
  a: ['href', 'title', 'target', 'rel'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  '*': ['lang', 'dir'],
};

const options: sanitizeHtml.IOptions = {
  allowedTags,
  allowedAttributes: richTextAttributes,
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  // A page opened from a link must not access `window.opener`.
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: attribs.target ? { ...attribs, rel: 'noopener noreferrer' } : attribs,
    }),
  },
};

/** Maximum number of tags and entities (`<` and `&`) in all rich texts of a request or stored record: they determine the CPU time of sanitising. */
export const maxHtmlTagsAndEntities = 10_000;

export interface HtmlSanitizingBudget {
  remainingTagsAndEntities: number;
}

export const createHtmlSanitizingBudget = (): HtmlSanitizingBudget => ({
  remainingTagsAndEntities: maxHtmlTagsAndEntities,
});

/** Fixed cost of sanitising one text, in marks. */
const marksPerText = 20;

/** Undefined when the text exceeds the remaining budget. */
export function sanitizeRichText(html: string, budget = createHtmlSanitizingBudget()): string | undefined {
  if (!/[<>&]/.test(html)) return html;
  budget.remainingTagsAndEntities -= marksPerText;
  for (const mark of ['<', '&'])
    for (
      let index = html.indexOf(mark);
      index !== -1 && budget.remainingTagsAndEntities >= 0;
      index = html.indexOf(mark, index + 1)
    )
      budget.remainingTagsAndEntities -= 1;
  return budget.remainingTagsAndEntities < 0 ? undefined : sanitizeHtml(html, options);
}

/** For mails: placeholders are allowed anywhere in text; in attributes only one of `urlPlaceholders` alone. */
export function sanitizeMailHtml(
  html: string,
  urlPlaceholders: readonly string[] = ['unsubscribeUrl'],
): string {
  const isUrlPlaceholder = (value: string) =>
    urlPlaceholders.includes(/^\s*\{\{\s*([\w.]+)\s*\}\}\s*$/.exec(value)?.[1] ?? '');
  return sanitizeHtml(html, {
    ...options,
    transformTags: {
      '*': (tagName, attribs) => ({
        tagName,
        attribs: Object.fromEntries(
          Object.entries(attribs).filter(([, value]) => !value.includes('{{') || isUrlPlaceholder(value)),
        ),
      }),
    },
  });
}
