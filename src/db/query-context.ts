/** For whom statements are run: whose name stands at what they write, and until when they may take. */
import { AsyncContext } from '../lib/async/async-context.ts';
import type { Deadline } from '../lib/async/deadline.ts';
import type { AuditContext } from './audit-context.ts';

export interface QueryContext {
  /** Absent: the service, on its own. */
  readonly auditContext?: AuditContext | undefined;
  /** Absent: only the database's own time-outs. */
  readonly deadline?: Deadline | undefined;
}

/** Prisma hands nothing on from its models to its adapter. */
const asking = new AsyncContext<QueryContext>();

/** Who asked for the statement that Prisma's adapter is given. */
export const currentPrismaContext = (): QueryContext | undefined => asking.get();

/** The inner await matters: a Prisma promise only starts its work when it is awaited. */
export const runPrismaWithContext = <T>(caller: QueryContext, ask: () => PromiseLike<T> | T): Promise<T> =>
  asking.run(caller, async () => await ask());

type Model = Record<string, unknown>;

/** Prisma's models, asked on behalf of a caller. What is no model is passed on as it is. */
export function bindModelsToContext<Client extends object>(client: Client, caller: QueryContext): Client {
  let ownModels: Map<string, Model> | undefined;
  return new Proxy(client, {
    get(target, name: string) {
      const model = Reflect.get(target, name) as unknown;
      if (name.startsWith('$') || typeof model !== 'object' || model === null) return model;
      ownModels ??= new Map();
      const own = ownModels.get(name) ?? modelFor(model as Model, caller);
      ownModels.set(name, own);
      return own;
    },
  });
}

const modelFor = (model: Model, caller: QueryContext): Model =>
  new Proxy(model, {
    get(target, name: string) {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => runPrismaWithContext(caller, () => Reflect.apply(method, target, args));
    },
  });
