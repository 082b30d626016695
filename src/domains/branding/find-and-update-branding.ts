/** Reads and updates the branding of a business. */
import type { z } from 'zod';
import type { Context, Services } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { type ErrorDetail, validationErrorFrom } from '../../errors.ts';
import type { Branding as StoredBranding } from '../../generated/prisma/client.ts';
import { isId, newId } from '../../lib/ids.ts';
import { parseUrlOnAllowedOrigin } from '../../lib/net/parse-url-on-allowed-origin.ts';
import { assertExpectedVersion } from '../../lib/optimistic-locking.ts';
import { now } from '../../lib/time.ts';
import { findBusiness, loadBusinessName } from '../businesses/manage-businesses.ts';
import { fillMediaReferences } from '../media/media-references.ts';
import { upsertConfigurationRecord } from '../shared/manage-configuration-records.ts';
import type { MediaItem } from '../shared/media-and-status-history-types.ts';
import {
  type Branding,
  type BrandingDocument,
  defaultColours,
  defaultMailLocale,
  type ShopBrand,
} from './model.ts';
import type { updateBrandingSchema } from './schemas.ts';

const documentOf = (stored: Pick<StoredBranding, 'document'> | null): BrandingDocument =>
  (stored?.document ?? {}) as BrandingDocument;

/** Defaults when nothing is stored; undefined when the business does not exist. */
export async function findBranding(ctx: Context, businessId: string): Promise<Branding | undefined> {
  if (!isId(businessId)) return undefined;
  const stored = await ctx.db.prisma.branding.findUnique({ where: { businessId } });
  if (stored) return toBranding(stored);
  const business = await findBusiness(ctx, businessId);
  if (!business) return undefined;
  const createdAt = Number(business.createdAt);
  return { businessId, version: 0, createdAt, updatedAt: createdAt };
}

const toBranding = (stored: StoredBranding): Branding => ({
  ...documentOf(stored),
  businessId: stored.businessId,
  version: stored.version,
  createdAt: Number(stored.createdAt),
  updatedAt: Number(stored.updatedAt),
});

/** The brand of a business with defaults. Without `shopUrl` the shop is the only allowed origin, if there is exactly one. */
export async function loadShopBrand(
  { config }: { config: Pick<Services['config'], 'allowedOrigins'> },
  queries: QueryHandle,
  businessId: string,
): Promise<ShopBrand> {
  const name = await loadBusinessName(queries, businessId);
  const stored = await queries.prisma.branding.findUnique({
    where: { businessId },
    select: { document: true },
  });
  const { logo, accent, background, shopUrl, orderUrl, replyTo, defaultLocale } = documentOf(stored);
  const [onlyOrigin, ...otherOrigins] = config.allowedOrigins;
  return {
    name,
    logo,
    accent: accent ?? defaultColours.accent,
    background: background ?? defaultColours.background,
    hasColours: accent !== undefined || background !== undefined,
    shopUrl: shopUrl ?? (otherOrigins.length === 0 ? onlyOrigin : undefined),
    orderUrl,
    replyTo,
    defaultLocale: defaultLocale ?? defaultMailLocale,
  };
}

type UpdateArgs = z.output<typeof updateBrandingSchema>;

/** Without an expected version, an update that conflicts with a concurrent one is retried on the new version. */
export const updateBranding = (ctx: Context, args: UpdateArgs): Promise<Branding> =>
  upsertConfigurationRecord(ctx, (tx) => tryUpdate(ctx, tx, args));

/** Undefined when another writer has changed the version. */
async function tryUpdate(
  ctx: Context,
  tx: QueryHandle,
  { businessId, version, input }: UpdateArgs,
): Promise<Branding | undefined> {
  const current = await tx.prisma.branding.findUnique({ where: { businessId } });
  assertExpectedVersion(current?.version ?? 0, version);
  const document = await applyChanges(ctx, tx, businessId, documentOf(current), input);
  const time = now();
  if (!current) {
    const data = { id: newId(), businessId, document: { ...document }, createdAt: time, updatedAt: time };
    return toBranding(await tx.prisma.branding.create({ data: data as never }));
  }
  const { id, version: currentVersion } = current;
  const { count } = await tx.prisma.branding.updateMany({
    where: { id, version: currentVersion },
    data: { document: document as never, version: ctx.db.nextVersion(currentVersion), updatedAt: time },
  });
  return count === 0 ? undefined : toBranding(await tx.prisma.branding.findUniqueOrThrow({ where: { id } }));
}

/** Reports an unusable logo and shop URL together. */
async function applyChanges(
  { config }: Context,
  tx: QueryHandle,
  businessId: string,
  current: BrandingDocument,
  { logoId, ...changes }: UpdateArgs['input'],
): Promise<BrandingDocument> {
  const logo: MediaItem | undefined = logoId
    ? { id: logoId, mediaId: logoId, url: '', mimeType: '' }
    : undefined;
  const errors: ErrorDetail[] = logo
    ? (await fillMediaReferences({ config }, tx, businessId, [{ field: 'logo', item: logo }])).map(
        (error) => ({ ...error, field: 'logoId' }),
      )
    : [];
  if (logo && errors.length === 0 && !/^image\/(png|jpeg|gif|webp)$/.test(logo.mimeType))
    errors.push({
      field: 'logoId',
      error: 'INVALID_VALUE',
      message: 'Must be a PNG, JPEG, GIF or WebP image.',
    });
  for (const field of ['shopUrl', 'orderUrl'] as const)
    if (changes[field] && !parseUrlOnAllowedOrigin(config, changes[field]))
      errors.push({
        field,
        error: 'INVALID_URL',
        message: 'This URL is not on the allow list (ALLOWED_ORIGINS).',
      });
  if (errors.length > 0) throw validationErrorFrom(errors);
  const merged: Record<string, unknown> = { ...current };
  for (const [name, value] of Object.entries({
    ...changes,
    logo: logoId === undefined ? undefined : (logo ?? null),
  }))
    if (value !== undefined) merged[name] = value;
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
