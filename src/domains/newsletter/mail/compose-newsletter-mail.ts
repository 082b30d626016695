/** Renders an entry as a newsletter mail with HTML and text parts. Pure. */
import { escapeHtml, toSingleLine } from '../../../lib/text/escape-text.ts';
import { htmlToText, textToHtml } from '../../../lib/text/html-and-plain-text.ts';
import { findTextInLocale } from '../../blocks/localized-text.ts';
import type { Block } from '../../blocks/model.ts';
import { sanitizeMailHtml } from '../../blocks/sanitize-html.ts';
import { isRichTextBlock } from '../../blocks/validate-value.ts';
import type { Collection } from '../../collections/model.ts';
import type { Entry } from '../../entries/model.ts';
import type { MediaItem } from '../../shared/media-and-status-history-types.ts';
import type { NewsletterMailContent } from '../model.ts';
import { fillNewsletterPlaceholders } from './template-variables.ts';

interface NewsletterMailSource {
  entry: Pick<Entry, 'locale' | 'blocks'>;
  collection: Pick<Collection, 'name' | 'blocks'>;
  businessName: string;
  publicUrl: string;
}

export function composeNewsletterMail({
  entry,
  collection,
  businessName,
  publicUrl,
}: NewsletterMailSource): NewsletterMailContent {
  const settingsOf = new Map(collection.blocks.map((block) => [block.id, block.settings]));
  const isRich = (block: Block) => isRichTextBlock({ settings: settingsOf.get(block.id) ?? block.settings });
  const rawText = (block: Block) => findTextInLocale(block.value, entry.locale, 'en') ?? '';
  const plainText = (block: Block) => (isRich(block) ? htmlToText(rawText(block)) : rawText(block));
  const textBlocks = entry.blocks.filter((block) => block.type === 'TEXT' && rawText(block).trim() !== '');
  const findText = (id: string) => textBlocks.find((block) => block.id === id);

  const subjectBlock = findText('subject') ?? findText('title') ?? textBlocks[0];
  const headingBlock = findText('title') ?? subjectBlock;
  const heading = headingBlock ? plainText(headingBlock) : collection.name;
  const bodyBlocks = entry.blocks.filter(
    (block) => block !== headingBlock && block !== subjectBlock && block.id !== 'slug',
  );

  const values = new Map(textBlocks.map((block) => [`entry.${block.id}`, plainText(block)]));
  values.set('collectionName', collection.name).set('businessName', businessName);
  const asText = (template: string) => fillNewsletterPlaceholders(template, (key) => values.get(key));
  const asHtml = (template: string) =>
    fillNewsletterPlaceholders(template, (key) => {
      const value = values.get(key);
      return value === undefined ? undefined : escapeHtml(value);
    });

  const bodyHtml = bodyBlocks.map((block) => {
    if (block.type === 'MEDIA') return imagesOf(block, publicUrl).map(imageHtml).join('');
    if (!textBlocks.includes(block)) return '';
    return isRich(block) ? sanitizeMailHtml(rawText(block)) : textToHtml(rawText(block));
  });
  const bodyText = bodyBlocks.filter((block) => textBlocks.includes(block)).map(plainText);

  return {
    subject: toSingleLine(asText(subjectBlock ? plainText(subjectBlock) : collection.name), 200),
    html: renderPage({
      title: asHtml(escapeHtml(heading)),
      lang: escapeHtml(entry.locale.replaceAll('_', '-')),
      body: asHtml(bodyHtml.join('\n')),
      footer: escapeHtml(`${collection.name} · ${businessName}`),
    }),
    text: `${[asText(heading), ...bodyText.map(asText)].join('\n\n')}\n\n-- \n${collection.name} · ${businessName}\nUnsubscribe: {{unsubscribeUrl}}\n`,
  };
}

interface NewsletterMailRecipient {
  name: string;
  email: string;
  unsubscribeUrl: string;
}

/** Fills in the values of one recipient. Values are HTML-escaped: the name is untrusted input. */
export function personaliseNewsletterMail(
  content: NewsletterMailContent,
  recipient: NewsletterMailRecipient,
): NewsletterMailContent {
  const values = new Map([
    ['subscriberName', recipient.name || recipient.email],
    ['subscriberEmail', recipient.email],
    ['unsubscribeUrl', recipient.unsubscribeUrl],
  ]);
  const plain = (key: string) => values.get(key);
  return {
    subject: toSingleLine(fillNewsletterPlaceholders(content.subject, plain), 400),
    html: fillNewsletterPlaceholders(content.html, (key) => {
      const value = values.get(key);
      return value === undefined ? undefined : escapeHtml(value);
    }),
    text: fillNewsletterPlaceholders(content.text, plain),
  };
}

const imagesOf = (block: Block, publicUrl: string): MediaItem[] =>
  ([block.value].flat() as (MediaItem | null | undefined)[]).flatMap((item) =>
    item?.mimeType.startsWith('image/') && URL.canParse(item.url, publicUrl)
      ? [{ ...item, url: new URL(item.url, publicUrl).href }]
      : [],
  );

const imageHtml = ({ url }: MediaItem) =>
  `<p style="margin:0 0 16px"><img src="${escapeHtml(url)}" alt="" width="536" style="display:block;max-width:100%;height:auto;border:0"></p>`;

const renderPage = ({
  title,
  lang,
  body,
  footer,
}: {
  title: string;
  lang: string;
  body: string;
  footer: string;
}) => `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
img{max-width:100%;height:auto}
@media (prefers-color-scheme:dark){.page{background:#111!important}.card{background:#1c1c1e!important;color:#f2f2f2!important}.quiet,.quiet a{color:#a0a0a0!important}.card a{color:#8ab4f8!important}}
@media (max-width:620px){.card{padding:24px 20px!important}}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f4f5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f4f4f5"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px">
<tr><td class="card" style="background:#ffffff;color:#1f2328;padding:32px;border-radius:8px;font:16px/1.6 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<h1 style="margin:0 0 20px;font-size:26px;line-height:1.25">${title}</h1>
${body}
</td></tr>
<tr><td class="quiet" align="center" style="padding:20px;color:#6b7280;font:13px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">${footer}<br><a href="{{unsubscribeUrl}}" style="color:#6b7280">Unsubscribe</a></td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
