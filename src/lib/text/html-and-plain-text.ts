/** Conversion between HTML and plain text for mails. Pure. */
import sanitizeHtml from 'sanitize-html';
import { escapeHtml } from './escape-text.ts';

/** Converts plain text to HTML: blank lines separate paragraphs. */
export const textToHtml = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((part) => `<p style="margin:0 0 16px">${escapeHtml(part.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('\n');

/** Converts HTML to plain text: the URL of a link follows its label in parentheses, a colon each cell of a table but the last. */
export function htmlToText(html: string): string {
  const marked = html
    .replace(/<li[^>]*>/gi, '$&- ')
    .replace(/<\/t([dh])>(?=\s*<t[dh])/gi, ': $&')
    .replace(/<a\s[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/gi, (_whole, url: string, label: string) =>
      label.trim() === url || url.startsWith('#') ? label : `${label} (${url})`,
    )
    .replace(/<br[^>]*>|<\/(?:p|div|h[1-6]|li|tr|blockquote|ul|ol|table)>/gi, '$&\n');
  const text = sanitizeHtml(marked, { allowedTags: [], allowedAttributes: {} });
  return decode(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

const decode = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity);
