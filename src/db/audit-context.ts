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

/** Default: a write of the service itself, outside of any request. */
const serviceContext: AuditContext = { actor: 'SYSTEM', protocol: 'JOB' };

/** Context of the retention job, which may delete audit log rows that have expired. */
export const retentionAuditContext: AuditContext = { ...serviceContext, mayDeleteHistory: true };

const writeStart = /^\s*(?:insert|update|delete|with)\b/i;
const writePattern =
  /\binsert\s+into\b|\bdelete\s+from\b|(?<!\bfor\s|\bkey\s)\bupdate\s+(?!set\b|skip\b|of\b|nowait\b)["\w]/i;
const withClause = /^\s*with\s+(recursive\s+)?/i;

/** Rewritten statements by original text. The application has a fixed set of statements, so the cache rarely fills up. */
const rewrittenTexts = new Map<string, string>();
const maxRewrittenTexts = 2000;

/** Adds the audit context as parameter `$<count + 1>`; returns the same text for a statement that only reads. */
function rewriteStatement(text: string, count: number): string {
  if (!writeStart.test(text) || !writePattern.test(text)) return text;
  // PostgreSQL always executes a data-modifying CTE. Its WHERE is never true, so it sets the variable and inserts no row.
  const author = `"author" as (insert into changes (kind)
    select '' where set_config('duet.author', $${count + 1}::text, true) is null)`;
  const existingWith = withClause.exec(text);
  if (!existingWith) return `with ${author} ${text}`;
  return `with ${existingWith[1] ?? ''}${author}, ${text.slice(existingWith[0].length)}`;
}

/**
 * Returns the rewritten statement and the JSON of the context for its last parameter, or undefined for a statement that only reads.
 * The setting `duet.author` is local to the transaction; triggers read it because they run after the statement.
 */
export function attachAuditContext(
  text: string,
  count: number,
  author: AuditContext = serviceContext,
): { text: string; author: string } | undefined {
  let rewritten = rewrittenTexts.get(text);
  if (rewritten === undefined) {
    rewritten = rewriteStatement(text, count);
    if (rewrittenTexts.size < maxRewrittenTexts) rewrittenTexts.set(text, rewritten);
  }
  if (rewritten === text) return undefined;
  // PERF: listed one by one, because every write builds this object and spreading is slower. The keys are read by SQL functions.
  const {
    actor,
    userId,
    keyId,
    requestId,
    requestIdByRecord: requests,
    protocol: voice,
    mayDeleteHistory: sweeping,
  } = author;
  const contextJson = { actor, userId, keyId, requestId, requests, voice, sweeping, at: Date.now() };
  return { text: rewritten, author: JSON.stringify(contextJson) };
}
