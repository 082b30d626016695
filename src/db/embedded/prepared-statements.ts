/**
 * Prepared statements for the embedded database. PGlite parses and plans a statement on every execution, which takes several times as long
 * as running it. From its second execution on, a statement is prepared under a name, and later executions send only Bind and Execute.
 */
import type { PGlite } from '@electric-sql/pglite';

/** Number of prepared statements; the least recently used ones are closed. */
const maxStatements = 300;
/** Bytes; longer statements are never prepared. */
const maxMessageLength = 20_000;

type Exchange = PGlite['execProtocolStream'];
type Reply = Awaited<ReturnType<Exchange>>;

interface Statement {
  key: string;
  name: string;
  /** Reply to Describe: parameter and row types. Set after the first Describe. */
  described?: Reply;
}

/** Offset of the statement name in the protocol messages Parse, Describe, Bind and Close. */
const nameAt = { P: 5, D: 6, B: 6, C: 6 } as const;

/** Inserts a statement name into a message for the unnamed statement. */
function withName(name: string, message: Uint8Array, at: number): Uint8Array {
  const named = Buffer.concat([message.subarray(0, at), Buffer.from(name), message.subarray(at)]);
  named.writeInt32BE(named.length - 1, 1);
  return named;
}

const closeMessage = (name: string) => withName(name, Buffer.from('C\0\0\0\0S\0', 'latin1'), nameAt.C);

/** Patches the connection. PGlite completes one statement before the next begins, so one `current` statement suffices. */
export function prepareRepeatedStatements(pglite: PGlite): void {
  const send: Exchange = pglite.execProtocolStream.bind(pglite);
  /** Statements by their whole Parse message, including parameter types; undefined after the first execution. In order of use. */
  const statements = new Map<string, Statement | undefined>();
  const namesToClose: string[] = [];
  let prepared = 0;
  let current: Statement | undefined;

  function forget(key: string): void {
    const statement = statements.get(key);
    statements.delete(key);
    if (statement) namesToClose.push(statement.name);
  }

  const parse: Exchange = async (message, options) => {
    for (const name of namesToClose.splice(0)) await send(closeMessage(name), options);
    if (message.length > maxMessageLength) return send(message, options);
    const key = Buffer.from(message).toString('latin1');
    const isRepeated = statements.has(key);
    current = statements.get(key);
    // Moves the statement to the end of the order of use.
    statements.delete(key);
    statements.set(key, current);
    if (current) return [];
    if (!isRepeated) {
      if (statements.size > maxStatements) forget(statements.keys().next().value ?? key);
      return send(message, options);
    }
    prepared += 1;
    const statement = { key, name: `s${prepared}` };
    const reply = await send(withName(statement.name, message, nameAt.P), options);
    statements.set(key, statement);
    current = statement;
    return reply;
  };

  async function bind(statement: Statement, ...[message, options]: Parameters<Exchange>): Promise<Reply> {
    try {
      return await send(withName(statement.name, message, nameAt.B), options);
    } catch (error) {
      // A migration may have changed the result type: prepare the statement again.
      forget(statement.key);
      throw error;
    }
  }

  /** Answers Describe for the statement, and for its portal from the cached reply. */
  async function describe(statement: Statement, ...[message, options]: Parameters<Exchange>): Promise<Reply> {
    statement.described ??= await send(withName(statement.name, message, nameAt.D), options);
    const isPortal = message[5] === 'P'.charCodeAt(0);
    return isPortal
      ? statement.described.filter(({ name }) => name !== 'parameterDescription')
      : statement.described;
  }

  pglite.execProtocolStream = async (message, options) => {
    const kind = String.fromCharCode(message[0] ?? 0);
    if (kind === 'P') return parse(message, options);
    if (kind === 'S' || kind === 'Q') current = undefined;
    if (current && kind === 'B') return bind(current, message, options);
    if (current && kind === 'D') return describe(current, message, options);
    return send(message, options);
  };
}
