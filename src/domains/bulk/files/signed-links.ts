/** Signed upload forms of imports and signed download URLs of exports. */
import { timingSafeEqual } from 'node:crypto';
import type { ViewerIdentity } from '../../../auth/load-viewer-of-identity.ts';
import type { Viewer } from '../../../auth/viewer-and-authentication.ts';
import type { Services } from '../../../context.ts';
import { hmacSha256Hex } from '../../../lib/hash-encrypt-and-random-tokens.ts';
import { now } from '../../../lib/time.ts';
import { type BulkOperation, type BulkUpload, finalBulkStates, type StoredBulkOperation } from '../model.ts';

/** Path prefix of uploads. */
export const bulkUploadsPathPrefix = '/bulk/uploads/';
/** Path prefix of downloads. */
export const bulkResultsPathPrefix = '/bulk/results/';

/** Validity of an upload form. */
export const bulkUploadValiditySeconds = 60 * 60;
/** Validity of a download URL. */
const resultSeconds = 15 * 60;

type ServicesWithKeys = Pick<Services, 'keys'>;
type FormSubject = Pick<StoredBulkOperation, 'id' | 'createdAt'>;

const uploadToken = ({ keys }: ServicesWithKeys, { id, createdAt }: FormSubject) =>
  hmacSha256Hex(keys.secret, 'bulk upload', id, String(createdAt));

/** Download URL: the operation, the user or API key it was issued to, and its expiry time. */
export interface BulkResultLinkParams extends ViewerIdentity {
  id: string;
  expires: number;
}

const resultSignature = ({ keys }: ServicesWithKeys, { id, expires, userId, keyId }: BulkResultLinkParams) =>
  hmacSha256Hex(keys.secret, 'bulk result', JSON.stringify([id, expires, userId, keyId ?? null]));

function equalsInConstantTime(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether the token belongs to the upload form of the operation and has not expired. */
export const isValidImportUploadToken = (
  signing: ServicesWithKeys,
  operation: FormSubject,
  token: string,
): boolean =>
  equalsInConstantTime(token, uploadToken(signing, operation)) &&
  now() < operation.createdAt + bulkUploadValiditySeconds;

export const isValidBulkResultSignature = (
  signing: ServicesWithKeys,
  link: BulkResultLinkParams,
  signature: string,
): boolean =>
  Number.isSafeInteger(link.expires) &&
  equalsInConstantTime(signature, resultSignature(signing, link)) &&
  now() < link.expires;

type LinkServices = ServicesWithKeys & Pick<Services, 'config'> & { readonly viewer?: Viewer };

function createUploadForm(services: LinkServices, operation: StoredBulkOperation): BulkUpload | undefined {
  if (operation.state !== 'UPLOADING') return undefined;
  return {
    uploadUrl: `${services.config.publicUrl}${bulkUploadsPathPrefix}${operation.id}`,
    fields: [{ name: 'token', value: uploadToken(services, operation) }],
    expiresAt: operation.createdAt + bulkUploadValiditySeconds,
  };
}

function createResultUrl(
  services: LinkServices,
  { id, kind, state }: StoredBulkOperation,
): string | undefined {
  const { user } = services.viewer ?? {};
  if (kind !== 'EXPORT' || state !== 'COMPLETED' || !user) return undefined;
  const { userId, keyId } = user;
  const expires = now() + resultSeconds;
  const query = new URLSearchParams({
    expires: String(expires),
    user: userId,
    ...(keyId === undefined ? {} : { key: keyId }),
    signature: resultSignature(services, { id, expires, userId, keyId }),
  });
  return `${services.config.publicUrl}${bulkResultsPathPrefix}${id}?${query}`;
}

/** API form of an operation, with new links. */
export function toBulkOperation(services: LinkServices, operation: StoredBulkOperation): BulkOperation {
  const { id, businessId, kind, resource, format, state, userId, done, failed } = operation;
  return {
    ...{ id, businessId, kind, resource, format, state, userId, done, failed },
    collectionId: operation.collectionId ?? undefined,
    total: operation.total ?? undefined,
    progress: progressOf(operation),
    reason: operation.reason ?? undefined,
    upload: createUploadForm(services, operation),
    resultUrl: createResultUrl(services, operation),
    createdAt: operation.createdAt,
    updatedAt: Number(operation.updatedAt),
    finishedAt: operation.finishedAt === null ? undefined : Number(operation.finishedAt),
  };
}

/** Whole percentage of the bytes read (import) or the records written (export). 100 only when the operation has ended. */
function progressOf({ kind, state, position, size, done, total }: StoredBulkOperation): number {
  if (state === 'COMPLETED') return 100;
  const fraction = kind === 'IMPORT' ? position / Math.max(1, size) : done / Math.max(1, total ?? 0);
  return total === null && kind === 'EXPORT'
    ? 0
    : Math.min(finalBulkStates.includes(state) ? 100 : 99, Math.floor(fraction * 100));
}
