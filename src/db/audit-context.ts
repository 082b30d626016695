/**
 * Who makes a change. Every statement that writes hands it to the database, where triggers keep the history of all records:
 * no use case has a part in it, and none can forget it.
 */
export interface AuditContext {
  readonly actor: 'USER' | 'API_KEY' | 'ANONYMOUS' | 'SYSTEM';
  readonly userId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Of a statement for several requests: which of them made which record. */
  readonly requestIdByRecord?: Readonly<Record<string, string | undefined>>;
  readonly protocol: 'REST' | 'GRAPHQL' | 'JOB';
  /** May throw away history that has grown old. */
  readonly mayDeleteHistory?: boolean;
}

/** Whoever does not say who they are: the service, on its own. */
const service: AuditContext = { actor: 'SYSTEM', protocol: 'JOB' };

/** What retention throws away, it may. */
export const retentionAuditContext: AuditContext = { ...service, mayDeleteHistory: true };

const begins = /^\s*(?:insert|update|delete|with)\b/i;
const writes =
  /\binsert\s+into\b|\bdelete\s+from\b|(?<!\bfor\s|\bkey\s)\bupdate\s+(?!set\b|skip\b|of\b|nowait\b)["\w]/i;
const firstWith = /^\s*with\s+(recursive\s+)?/i;

/** Kept by text: statements are few and fixed. */
const known = new Map<string, string>();
const maxKnown = 2000;

/** The statement with the author as its last parameter, `count + 1`; the same statement when it only reads. */
function signedText(text: string, count: number): string {
  if (!begins.test(text) || !writes.test(text)) return text;
  // Whatever changes data in a WITH is always run, and here nothing is ever inserted.
  const author = `"author" as (insert into changes (kind)
    select '' where set_config('duet.author', $${count + 1}::text, true) is null)`;
  const given = firstWith.exec(text);
  if (!given) return `with ${author} ${text}`;
  return `with ${given[1] ?? ''}${author}, ${text.slice(given[0].length)}`;
}

/** Undefined for what only reads. Triggers run after the statement, when the setting is there; it ends with the transaction. */
export function attachAuditContext(
  text: string,
  count: number,
  author: AuditContext = service,
): { text: string; author: string } | undefined {
  let whole = known.get(text);
  if (whole === undefined) {
    whole = signedText(text, count);
    if (known.size < maxKnown) known.set(text, whole);
  }
  if (whole === text) return undefined;
  // One by one: every statement that writes has one, and to spread it takes longer.
  const {
    actor,
    userId,
    keyId,
    requestId,
    requestIdByRecord: requests,
    protocol: voice,
    mayDeleteHistory: sweeping,
  } = author;
  const told = { actor, userId, keyId, requestId, requests, voice, sweeping, at: Date.now() };
  return { text: whole, author: JSON.stringify(told) };
}
