/** Finds the template of a mail: that of the shop for the locale or its language, otherwise the built-in one, otherwise that of the default locale. */
import type { Context } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import type { MailTemplate as StoredMailTemplate } from '../../generated/prisma/client.ts';
import { supportedLanguages } from '../../lib/text/locales.ts';
import { loadShopBrand } from '../branding/find-and-update-branding.ts';
import { defaultMailLocale } from '../branding/model.ts';
import type { LocalizedMailTemplateContent, MailTemplate, MailTemplateRef } from './model.ts';
import { buildBuiltInMailTemplate, type MailTemplateContent } from './rendering/built-in-templates.ts';
import { type MailTemplateKind, mailTemplateKinds } from './rendering/mail-kinds-and-placeholders.ts';

const contentOf = ({ document }: Pick<StoredMailTemplate, 'document'>) =>
  document as unknown as MailTemplateContent;

export const toMailTemplate = (stored: StoredMailTemplate): MailTemplate => ({
  ...contentOf(stored),
  businessId: stored.businessId,
  kind: stored.kind as MailTemplateKind,
  locale: stored.locale,
  isCustomized: true,
  version: stored.version,
  updatedAt: Number(stored.updatedAt),
});

const baseLanguage = (locale: string): string => locale.split('-')[0] ?? locale;

/** Locales in the order in which templates are looked up: the locale, its language, the default locale, its language. */
const lookUpOrder = (locale: string | undefined, defaultLocale: string): string[] => [
  ...new Set(
    [locale, defaultLocale, defaultMailLocale].flatMap((item) =>
      item === undefined ? [] : [item, baseLanguage(item)],
    ),
  ),
];

type Customized = ReadonlyMap<string, MailTemplateContent>;

/** Pure. The result always has a text, because the last default locale has a built-in template. */
function selectMailTemplate(
  kind: MailTemplateKind,
  locale: string | undefined,
  defaultLocale: string,
  customized: Customized,
): LocalizedMailTemplateContent {
  for (const candidate of lookUpOrder(locale, defaultLocale)) {
    const content = customized.get(candidate);
    if (content) return { ...content, locale: candidate };
    if (supportedLanguages.some((language) => language === candidate))
      return { ...buildBuiltInMailTemplate(kind, candidate), locale: candidate };
  }
  return { ...buildBuiltInMailTemplate(kind, defaultMailLocale), locale: defaultMailLocale };
}

/** The template of a mail that is about to be sent. */
export async function loadMailTemplateForSending(
  queries: QueryHandle,
  businessId: string,
  kind: MailTemplateKind,
  locale: string | undefined,
  defaultLocale: string,
): Promise<LocalizedMailTemplateContent> {
  const stored = await queries.prisma.mailTemplate.findMany({
    where: { businessId, kind, locale: { in: lookUpOrder(locale, defaultLocale) } },
  });
  return selectMailTemplate(kind, locale, defaultLocale, customizedByLocale(stored));
}

const customizedByLocale = (stored: readonly StoredMailTemplate[]): Customized =>
  new Map(stored.map((row) => [row.locale, contentOf(row)]));

/** The customized template of exactly this locale, otherwise the one that mails in this locale use. */
export async function findMailTemplate(
  queries: QueryHandle,
  { businessId, kind, locale }: MailTemplateRef,
  defaultLocale: string,
): Promise<MailTemplate> {
  const stored = await queries.prisma.mailTemplate.findUnique({
    where: { businessId_kind_locale: { businessId, kind, locale } },
  });
  if (stored) return toMailTemplate(stored);
  const content = await loadMailTemplateForSending(queries, businessId, kind, locale, defaultLocale);
  return { ...content, businessId, kind, locale, isCustomized: false, version: 0 };
}

export async function findMailTemplateForEditing(ctx: Context, ref: MailTemplateRef): Promise<MailTemplate> {
  const { defaultLocale } = await loadShopBrand(ctx, ctx.db, ref.businessId);
  return findMailTemplate(ctx.db, ref, defaultLocale);
}

interface MailTemplateFilter {
  businessId: string;
  kind?: MailTemplateKind | undefined;
  locale?: string | undefined;
}

/** Every kind in every language with texts, and in the locales that the business has added. */
export async function listMailTemplates(
  ctx: Context,
  { businessId, kind, locale }: MailTemplateFilter,
): Promise<MailTemplate[]> {
  const { defaultLocale } = await loadShopBrand(ctx, ctx.db, businessId);
  const stored = await ctx.db.prisma.mailTemplate.findMany({
    where: { businessId, ...(kind === undefined ? {} : { kind }) },
    orderBy: [{ kind: 'asc' }, { locale: 'asc' }],
  });
  return (kind === undefined ? mailTemplateKinds : [kind]).flatMap((listedKind) => {
    const ofKind = stored.filter((row) => row.kind === listedKind);
    const customized = customizedByLocale(ofKind);
    const locales = locale === undefined ? [...supportedLanguages, ...customized.keys()] : [locale];
    return [...new Set(locales)].map((listedLocale): MailTemplate => {
      const row = ofKind.find((candidate) => candidate.locale === listedLocale);
      if (row) return toMailTemplate(row);
      const content = selectMailTemplate(listedKind, listedLocale, defaultLocale, customized);
      return {
        ...content,
        ...{ businessId, kind: listedKind, locale: listedLocale, isCustomized: false, version: 0 },
      };
    });
  });
}
