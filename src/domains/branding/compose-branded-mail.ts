/** Composes the HTML and text parts of a mail with the logo, name and colours of a shop. Pure. */
import { escapeHtml, toSingleLine } from '../../lib/text/escape-text.ts';
import { htmlToText } from '../../lib/text/html-and-plain-text.ts';
import type { MailMessage } from '../../ports/mail.ts';
import { chooseReadableTextColour } from './colour-contrast.ts';
import type { ShopBrand } from './model.ts';

interface BrandedMailContent {
  /** Language tag of the text. */
  language: string;
  subject: string;
  /** Safe HTML without style attributes. A link alone in its paragraph becomes a button. */
  html: string;
  /** Plain-text part; derived from `html` by default. */
  text?: string | undefined;
  /** Small print below the content, as plain text. */
  footer?: string | undefined;
}

const maxSubjectLength = 400;
const linkAlone = /<p><a href="([^"]*)"[^>]*>([^<]*)<\/a><\/p>/g;
const emptyParagraph = /<p>(?:\s|<br ?\/?>)*<\/p>/g;

export function composeBrandedMail(
  brand: ShopBrand,
  { language, subject, html, text: plainText, footer }: BrandedMailContent,
): Omit<MailMessage, 'to'> {
  const name = toSingleLine(brand.name);
  const singleLineSubject = toSingleLine(subject, maxSubjectLength);
  const content = html.replace(emptyParagraph, '').replace(/<\/tr>\s+/g, '</tr>');
  const textBody =
    plainText ??
    htmlToText(
      content.replace(linkAlone, (_whole, url: string, label: string) => `<p>${label}:<br>${url}</p>`),
    );
  const text = [textBody, footer, [name, brand.shopUrl].filter(Boolean).join('\n')]
    .filter(Boolean)
    .join('\n\n');
  return {
    fromName: name,
    subject: singleLineSubject,
    text: `${text}\n`,
    html: renderDocument(brand, {
      language,
      subject: singleLineSubject,
      content: styleContent(content, brand),
      footer,
    }),
    ...(brand.replyTo === undefined ? {} : { replyTo: brand.replyTo }),
  };
}

const elementStyles: Readonly<Record<string, string>> = {
  p: 'margin:0 0 16px',
  table: 'width:100%;border-collapse:collapse;margin:0 0 16px',
  td: 'padding-top:8px;padding-bottom:8px;border-bottom:1px solid #e4e4e7;vertical-align:top',
  th: 'padding:8px 0;border-bottom:1px solid #e4e4e7;text-align:left',
  h1: 'margin:0 0 16px;font-size:22px;line-height:1.3',
  h2: 'margin:0 0 12px;font-size:18px;line-height:1.3',
  img: 'max-width:100%;height:auto',
};

/** Mail programs ignore stylesheets, so styles are written into the elements. */
function styleContent(html: string, brand: ShopBrand): string {
  const button = `display:inline-block;padding:12px 20px;background:${brand.accent};color:${chooseReadableTextColour(brand.accent)};border:1px solid #d4d4d8;border-radius:6px;text-decoration:none;font-weight:600`;
  return html
    .replace(
      linkAlone,
      (_whole, url: string, label: string) =>
        `<p style="margin:24px 0"><a href="${url}" style="${button}">${label}</a></p>`,
    )
    .replace(
      /<(p|table|td|th|h1|h2|img)(?=[ >])(?![^>]*style=)/g,
      (_whole, tag: string) => `<${tag} style="${elementStyles[tag]}"`,
    )
    .replace(
      /<\/td>(\s*)<td style="/g,
      '</td>$1<td style="text-align:right;white-space:nowrap;padding-left:16px;',
    );
}

function renderDocument(
  brand: ShopBrand,
  {
    language,
    subject,
    content,
    footer,
  }: { language: string; subject: string; content: string; footer: string | undefined },
): string {
  const name = escapeHtml(toSingleLine(brand.name));
  const ink = chooseReadableTextColour(brand.background);
  const logo = brand.logo
    ? `<img src="${escapeHtml(brand.logo.url)}" alt="${name}" height="48" style="display:inline-block;height:48px;max-width:240px;border:0">`
    : name;
  const linked = (label: string, style: string) =>
    brand.shopUrl === undefined
      ? label
      : `<a href="${escapeHtml(brand.shopUrl)}" style="${style}">${label}</a>`;
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:0;background:${brand.background}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${brand.background};font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px">
<tr><td align="center" style="padding:0 0 20px;color:${ink};font-size:20px;font-weight:600">${linked(logo, `color:${ink};text-decoration:none`)}</td></tr>
<tr><td style="background:#ffffff;color:#18181b;padding:28px;border-radius:8px;border-top:4px solid ${brand.accent};overflow-wrap:anywhere">
${content}
${footer === undefined ? '' : `<p style="margin:24px 0 0;font-size:13px;color:#52525b">${escapeHtml(footer)}</p>\n`}</td></tr>
<tr><td align="center" style="padding:20px;color:${ink};font-size:13px">${linked(name, `color:${ink}`)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}
