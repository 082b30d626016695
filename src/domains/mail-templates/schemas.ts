/** Zod schemas of mail templates: placeholders are checked and HTML is sanitised here. */
import { z } from 'zod';
import { buildTextSchema, optionalInput } from '../../lib/validation/input.ts';
import { maxHtmlTagsAndEntities, sanitizeMailHtml } from '../blocks/sanitize-html.ts';
import { localeSchema } from '../shared/status-and-locale-schemas.ts';
import {
  type MailTemplateKind,
  mailTemplateKinds,
  urlPlaceholders,
} from './rendering/mail-kinds-and-placeholders.ts';
import { type MailTemplateProblem, parseMailTemplate } from './rendering/parse-template.ts';

const kindSchema = z.enum(mailTemplateKinds);

const partSchema = (max: number) => buildTextSchema(max).regex(/\S/, 'Must not be empty.');

/** Links and placeholders are counted before and after sanitising, so that nothing is removed without an error. */
const countPlaceholders = (html: string) => html.split('{{').length;

const htmlSchema = partSchema(20_000).transform((html, ctx) => {
  if (html.split(/[<&]/).length > maxHtmlTagsAndEntities / 5) {
    ctx.addIssue({ code: 'custom', message: 'Has too many tags.', params: { error: 'TOO_LONG' } });
    return z.NEVER;
  }
  const sanitized = sanitizeMailHtml(html, urlPlaceholders);
  if (countPlaceholders(sanitized) !== countPlaceholders(html))
    ctx.addIssue({
      code: 'custom',
      message: `Placeholders are allowed in text. In an attribute, ${urlPlaceholders.join(', ')} alone may be the address of a link.`,
      params: { error: 'INVALID_FORMAT' },
    });
  return sanitized;
});

const draftSchema = z.object({
  subject: optionalInput(partSchema(200)),
  html: optionalInput(htmlSchema),
  text: partSchema(20_000).nullish(),
});

const draftFields = ['subject', 'html', 'text'] as const;

/** Without its link, a mail of these kinds is useless. */
const requiredPlaceholders: Partial<Record<MailTemplateKind, string>> = { ORDER_LINK: 'order.url' };

function findProblems(kind: MailTemplateKind, field: string, template: string): MailTemplateProblem[] {
  const { problems } = parseMailTemplate(template, kind);
  const required = field === 'subject' ? undefined : requiredPlaceholders[kind];
  if (required === undefined || new RegExp(`\\{\\{\\s*${required}\\s*\\}\\}`).test(template)) return problems;
  return [...problems, { error: 'INVALID_FORMAT', message: `Must contain {{${required}}}.` }];
}

/** Runs even if other fields are invalid, to report all errors at once. */
function refinePlaceholders(args: unknown, ctx: z.core.$RefinementCtx): void {
  const { kind, input } = args as { kind?: unknown; input?: Record<string, unknown> | null };
  const parsedKind = kindSchema.safeParse(kind);
  if (!parsedKind.success) return;
  for (const field of draftFields) {
    const template = input?.[field];
    if (typeof template !== 'string' || template.length > 20_000) continue;
    for (const { error, message } of findProblems(parsedKind.data, field, template))
      ctx.addIssue({ code: 'custom', path: ['input', field], message, params: { error } });
  }
}

const mailTemplateArgs = { businessId: z.string(), kind: kindSchema, locale: localeSchema };

export const mailTemplateRefSchema = z.object(mailTemplateArgs);

export const listMailTemplatesSchema = z.object({
  businessId: z.string(),
  kind: optionalInput(kindSchema),
  locale: optionalInput(localeSchema),
});

export const updateMailTemplateSchema = z
  .object({ ...mailTemplateArgs, version: optionalInput(z.number().int()), input: draftSchema })
  .superRefine(refinePlaceholders, { when: () => true });

export const resetMailTemplateSchema = z.object({
  ...mailTemplateArgs,
  version: optionalInput(z.number().int()),
});

export const previewMailTemplateSchema = z
  .object({ ...mailTemplateArgs, input: optionalInput(draftSchema) })
  .superRefine(refinePlaceholders, { when: () => true });
