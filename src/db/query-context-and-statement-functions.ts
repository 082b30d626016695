/** Query context: audit context and deadline of the statements that a handle runs, by `sql`, `write` and Prisma. */
import { AsyncContext } from '../lib/async/async-context.ts';
import type { Deadline } from '../lib/async/deadline.ts';
import { withSpan } from '../lib/tracing.ts';
import { type AuditContext, attachAuditContext, serviceAuditContext } from './audit-context.ts';

/** Payer of the database time of an operation: its share of the connection pool, and the time that is charged to its budget. */
export interface ConnectionSharePayer {
  /** Account, API key, guest, or the network of an anonymous caller. */
  readonly payer: string;
  /** Network of a guest: all guests of a network have a share together. */
  readonly network: string | undefined;
  /** Receives the milliseconds for which a connection was in use. */
  onDatabaseTime(ms: number): void;
}

export interface QueryContext {
  /** Attached to every write. */
  readonly auditContext: AuditContext;
  /** Absent: only the timeouts of the database apply. */
  readonly deadline?: Deadline | undefined;
  /** Absent: background work, which does not wait for a share of the pool. */
  readonly share?: ConnectionSharePayer | undefined;
  /** Throws for a statement that must not run on this server. Present with several servers. */
  readonly assertStatement?: ((text: string) => void) | undefined;
}

/** Context of the process's own handle. */
export const serviceQueryContext: QueryContext = { auditContext: serviceAuditContext };

/** Async context, because Prisma passes no argument from a model call through to its driver adapter. */
const prismaContext = new AsyncContext<QueryContext>();

/** Context of the statement that Prisma's adapter is executing. */
export const getQueryContextOfPrismaCall = (): QueryContext | undefined => prismaContext.get();

/** The inner await is required: a Prisma promise starts its query only when it is awaited. */
export const runPrismaWithContext = <T>(context: QueryContext, run: () => PromiseLike<T> | T): Promise<T> =>
  prismaContext.run(context, async () => await run());

type Model = Record<string, unknown>;

/** Prisma client whose model calls and transactions run in `context`. Other properties are passed through. */
export function bindPrismaToQueryContext<Client extends object>(
  client: Client,
  context: QueryContext,
): Client {
  let boundModels: Map<string, Model> | undefined;
  return new Proxy(client, {
    get(target, name: string) {
      const model = Reflect.get(target, name) as unknown;
      if (name === '$transaction' && typeof model === 'function')
        return (...args: unknown[]) =>
          runPrismaWithContext(context, () => Reflect.apply(model, target, args));
      if (name.startsWith('$') || typeof model !== 'object' || model === null) return model;
      boundModels ??= new Map();
      const boundModel = boundModels.get(name) ?? bindModel(model as Model, context);
      boundModels.set(name, boundModel);
      return boundModel;
    },
  });
}

const bindModel = (model: Model, context: QueryContext): Model =>
  new Proxy(model, {
    get(target, name: string) {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => runPrismaWithContext(context, () => Reflect.apply(method, target, args));
    },
  });

export interface SentStatement {
  readonly text: string;
  readonly params: unknown[];
}

export interface StatementFunctions {
  /**
   * Runs one statement that reads, or locks what it reads. On PostgreSQL it is a named prepared statement, prepared once per
   * connection. `int8` comes back as a number and `json` parsed; send a JSON parameter as `JSON.stringify` text.
   */
  sql<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Runs one statement that writes, with the audit context of the handle. It may begin with `with`, but not with `with recursive`. */
  write<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
}

interface StatementFunctionsOptions {
  queryContext: QueryContext;
  onStatement: ((text: string) => void) | undefined;
  onRead: ((text: string) => void) | undefined;
  send<Row>(statement: SentStatement): Promise<Row[]>;
}

/** `sql` and `write` over the connection that sends their statements, with a tracing span for each. */
export function createSqlAndWriteFunctions(options: StatementFunctionsOptions): StatementFunctions {
  const { queryContext, onStatement, onRead } = options;
  const run = <Row>(text: string, statement: SentStatement): Promise<Row[]> => {
    queryContext.assertStatement?.(text);
    onStatement?.(text);
    return traceStatement(text, () => options.send<Row>(statement));
  };
  return {
    sql(text, params = []) {
      onRead?.(text);
      return run(text, { text, params: [...params] });
    },
    write: (text, params = []) => run(text, attachAuditContext(text, params, queryContext.auditContext)),
  };
}

const verb = /^[\s(]*(\w+)/;

/** Span of a statement. Its text has placeholders such as `$1`; parameter values are never recorded. */
export const traceStatement = <T>(text: string, run: () => T): T =>
  withSpan('statement', 'client', {}, (span) => {
    if (span) {
      span.name = `statement ${verb.exec(text)?.[1]?.toLowerCase() ?? ''}`.trim();
      span.attributes['db.system.name'] = 'postgresql';
      span.attributes['db.query.text'] = text;
    }
    return run();
  });
