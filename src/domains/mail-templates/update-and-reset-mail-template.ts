/** Updates a mail template of a business, and resets it to the default. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { type QueryHandle, takeAdvisoryLock } from '../../db/index.ts';
import { validationError } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { assertExpectedVersion } from '../../lib/optimistic-locking.ts';
import { now } from '../../lib/time.ts';
import { loadShopBrand } from '../branding/find-and-update-branding.ts';
import { upsertConfigurationRecord } from '../shared/manage-configuration-records.ts';
import { findMailTemplate, toMailTemplate } from './find-mail-templates.ts';
import type { MailTemplate, MailTemplateRef } from './model.ts';
import type { MailTemplateContent } from './rendering/built-in-templates.ts';
import type { resetMailTemplateSchema, updateMailTemplateSchema } from './schemas.ts';

/** Maximum number of customized templates per business: all kinds in more than 20 locales. */
const maxTemplates = 150;

type UpdateArgs = z.output<typeof updateMailTemplateSchema>;

/** Fields of a draft replace those of `current`; a text of null is derived from the HTML again. */
export const applyMailTemplateDraft = (
  { subject, html, text }: MailTemplateContent,
  { text: draftText, ...draft }: Partial<UpdateArgs['input']>,
): MailTemplateContent => {
  const newText = draftText === undefined ? text : (draftText ?? undefined);
  return {
    subject: draft.subject ?? subject,
    html: draft.html ?? html,
    ...(newText === undefined ? {} : { text: newText }),
  };
};

/** Without an expected version, an update that conflicts with a concurrent one is retried on the new version. */
export async function updateMailTemplate(ctx: Context, args: UpdateArgs): Promise<MailTemplate> {
  const { defaultLocale } = await loadShopBrand(ctx, ctx.db, args.businessId);
  return upsertConfigurationRecord(ctx, (tx) => tryUpdate(ctx, tx, args, defaultLocale));
}

/** Undefined when another writer has changed the version. */
async function tryUpdate(
  ctx: Context,
  tx: QueryHandle,
  { businessId, kind, locale, version, input }: UpdateArgs,
  defaultLocale: string,
): Promise<MailTemplate | undefined> {
  const where = { businessId_kind_locale: { businessId, kind, locale } };
  const stored = await tx.prisma.mailTemplate.findUnique({ where });
  assertExpectedVersion(stored?.version ?? 0, version);
  const current = stored
    ? toMailTemplate(stored)
    : await findMailTemplate(tx, { businessId, kind, locale }, defaultLocale);
  const document = { ...applyMailTemplateDraft(current, input) };
  const time = now();
  if (!stored) {
    await assertMayAddTemplate(tx, businessId);
    const data = { id: newId(), businessId, kind, locale, document, createdAt: time, updatedAt: time };
    return toMailTemplate(await tx.prisma.mailTemplate.create({ data }));
  }
  const { id, version: currentVersion } = stored;
  const { count } = await tx.prisma.mailTemplate.updateMany({
    where: { id, version: currentVersion },
    data: { document, version: ctx.db.nextVersion(currentVersion), updatedAt: time },
  });
  return count === 0 ? undefined : toMailTemplate(await tx.prisma.mailTemplate.findUniqueOrThrow({ where }));
}

/** Under a lock, so that concurrent requests cannot exceed the limit together. */
async function assertMayAddTemplate(tx: QueryHandle, businessId: string): Promise<void> {
  await takeAdvisoryLock(tx, `mail-templates:${businessId}`);
  if ((await tx.prisma.mailTemplate.count({ where: { businessId } })) < maxTemplates) return;
  throw validationError(
    'locale',
    'TOO_MANY_TEMPLATES',
    `A business can have ${maxTemplates} templates of its own. Reset one first.`,
  );
}

/** Returns the template that mails use from now on. Succeeds for a template that is not customized. */
export async function resetMailTemplate(
  ctx: Context,
  { businessId, kind, locale, version }: z.output<typeof resetMailTemplateSchema>,
): Promise<MailTemplate> {
  const ref: MailTemplateRef = { businessId, kind, locale };
  const { defaultLocale } = await loadShopBrand(ctx, ctx.db, businessId);
  return ctx.db.transaction(async (tx) => {
    const stored = await tx.prisma.mailTemplate.findUnique({ where: { businessId_kind_locale: ref } });
    assertExpectedVersion(stored?.version ?? 0, version);
    const { count } = await tx.prisma.mailTemplate.deleteMany({
      where: { ...ref, ...(version === undefined ? {} : { version }) },
    });
    if (version !== undefined && stored && count === 0) assertExpectedVersion(0, version);
    return findMailTemplate(tx, ref, defaultLocale);
  });
}
