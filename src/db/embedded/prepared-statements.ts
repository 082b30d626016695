/**
 * The embedded database plans a statement anew whenever it is asked, which takes several times as long as to run it. Here one that is asked
 * again is prepared under a name, as on PostgreSQL: of the messages of its next question only those with the values and for the rows are sent.
 */
import type { PGlite } from '@electric-sql/pglite';

/** Of the statements that were asked last, so many stay prepared; longer ones never. */
const most = 300;
const longest = 20_000;

type Exchange = PGlite['execProtocolStream'];
type Reply = Awaited<ReturnType<Exchange>>;

interface Statement {
  key: string;
  name: string;
  /** What it takes and returns, once the database has said so. */
  described?: Reply;
}

/** Where the name of a statement stands in the messages of PostgreSQL's protocol: Parse, Describe, Bind, Close. */
const nameAt = { P: 5, D: 6, B: 6, C: 6 } as const;

/** The same message about a statement with a name instead of the nameless one. */
function about(name: string, message: Uint8Array, at: number): Uint8Array {
  const named = Buffer.concat([message.subarray(0, at), Buffer.from(name), message.subarray(at)]);
  named.writeInt32BE(named.length - 1, 1);
  return named;
}

const closing = (name: string) => about(name, Buffer.from('C\0\0\0\0S\0', 'latin1'), nameAt.C);

/** Makes it so for all who use this one connection, where a question is asked whole before the next begins. */
export function prepareRepeatedStatements(pglite: PGlite): void {
  const send: Exchange = pglite.execProtocolStream.bind(pglite);
  /** By their whole message, types of parameters included; those that were asked once have no name yet. */
  const known = new Map<string, Statement | undefined>();
  const unwanted: string[] = [];
  let made = 0;
  let current: Statement | undefined;

  function forget(key: string): void {
    const statement = known.get(key);
    known.delete(key);
    if (statement) unwanted.push(statement.name);
  }

  const parse: Exchange = async (message, options) => {
    for (const name of unwanted.splice(0)) await send(closing(name), options);
    if (message.length > longest) return send(message, options);
    const key = Buffer.from(message).toString('latin1');
    const isAskedAgain = known.has(key);
    current = known.get(key);
    // Last in the order of those that were asked.
    known.delete(key);
    known.set(key, current);
    if (current) return [];
    if (!isAskedAgain) {
      if (known.size > most) forget(known.keys().next().value ?? key);
      return send(message, options);
    }
    made += 1;
    const statement = { key, name: `s${made}` };
    const reply = await send(about(statement.name, message, nameAt.P), options);
    known.set(key, statement);
    current = statement;
    return reply;
  };

  async function bind(statement: Statement, ...[message, options]: Parameters<Exchange>): Promise<Reply> {
    try {
      return await send(about(statement.name, message, nameAt.B), options);
    } catch (error) {
      // A migration may have changed what it returns: it has to be prepared anew.
      forget(statement.key);
      throw error;
    }
  }

  /** Of the statement first, and then of its rows, which are as that says. */
  async function describe(statement: Statement, ...[message, options]: Parameters<Exchange>): Promise<Reply> {
    statement.described ??= await send(about(statement.name, message, nameAt.D), options);
    const isOfRows = message[5] === 'P'.charCodeAt(0);
    return isOfRows
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
