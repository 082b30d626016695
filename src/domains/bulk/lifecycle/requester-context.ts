/** Context of a background operation: acts as the user or API key that started it, with their current permissions. */
import { loadViewerOfIdentity } from '../../../auth/load-viewer-of-identity.ts';
import type { Context, Services } from '../../../context.ts';
import type { StoredBulkOperation } from '../model.ts';

export async function createBulkRequesterContext(
  services: Services,
  operation: Pick<StoredBulkOperation, 'id' | 'userId' | 'keyId'>,
): Promise<Context> {
  const { id, userId, keyId } = operation;
  const auditContext = {
    actor: keyId === null ? 'USER' : 'API_KEY',
    userId,
    keyId: keyId ?? undefined,
    requestId: id,
    protocol: 'JOB',
  } as const;
  return {
    ...services,
    db: services.db.withContext({ auditContext }),
    viewer: await loadViewerOfIdentity(services.db, { userId, keyId: keyId ?? undefined }),
    request: {
      requestId: id,
      protocol: 'other',
      address: '',
      authorization: undefined,
      apiKey: undefined,
      idempotencyKey: undefined,
      clientName: undefined,
      consistencyToken: undefined,
      responseHeaders: {},
      operationCost: { total: 0 },
      publicRead: { businessIds: [], tags: undefined },
      measuredTime: { databaseMs: 0, documentMs: 0 },
      observed: { user: undefined, operation: undefined, variables: undefined, code: undefined },
      uses: [],
    },
  };
}
