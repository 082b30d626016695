/**
 * Audit context of a write: who changes a record, by which request. It is sent with every statement that writes, and database triggers
 * copy it into the audit log (table `changes`), so that no use case has to write the log itself.
 */
export interface AuditContext {
  readonly actor: 'USER' | 'API_KEY' | 'ANONYMOUS' | 'SYSTEM';
  readonly userId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Request id by record id, for one statement that inserts records of several requests. */
  readonly requestIdByRecord?: Readonly<Record<string, string | undefined>>;
  readonly protocol: 'REST' | 'GRAPHQL' | 'JOB';
  /** Permits DELETE on the audit log. Only the retention job sets it. */
  readonly mayDeleteHistory?: boolean;
}

/** Context of the process's own handle: a write of the service itself, outside of any request. */
export const serviceAuditContext: AuditContext = { actor: 'SYSTEM', protocol: 'JOB' };

/** Context of the retention job, which may delete audit log rows that have expired. */
export const retentionAuditContext: AuditContext = { ...serviceAuditContext, mayDeleteHistory: true };

/** Statements with their context parameter, by original text. The application has a fixed set, so the cache rarely fills up. */
const auditedTexts = new Map<string, string>();
const maxAuditedTexts = 2000;

/** Adds the audit context as parameter `$<count + 1>`. */
function addContextParameter(text: string, count: number): string {
  // PostgreSQL always executes a data-modifying CTE. Its WHERE is never true, so it sets the variable and inserts no row.
  const author = `"author" as (insert into changes (kind)
    select '' where set_config('duet.author', $${count + 1}::text, true) is null)`;
  const statement = text.trimStart();
  return statement.startsWith('with ')
    ? `with ${author}, ${statement.slice('with '.length)}`
    : `with ${author} ${statement}`;
}

/**
 * A statement that writes, with the audit context as the last parameter. The setting `duet.author` is local to the transaction;
 * triggers read it because they run after the statement.
 */
export function attachAuditContext(
  text: string,
  params: readonly unknown[],
  { actor, userId, keyId, requestId, requestIdByRecord, protocol, mayDeleteHistory }: AuditContext,
): { text: string; params: unknown[] } {
  let auditedText = auditedTexts.get(text);
  if (auditedText === undefined) {
    auditedText = addContextParameter(text, params.length);
    if (auditedTexts.size < maxAuditedTexts) auditedTexts.set(text, auditedText);
  }
  // PERF: listed one by one, because every write builds this object and spreading is slower. The keys are read by SQL functions.
  const context = {
    actor,
    userId,
    keyId,
    requestId,
    requests: requestIdByRecord,
    voice: protocol,
    sweeping: mayDeleteHistory,
    at: Date.now(),
  };
  return { text: auditedText, params: [...params, JSON.stringify(context)] };
}
