/** For whom statements are run: whose name stands at what they write, and until when they may take. */
import { Ambient } from '../lib/ambient.ts';
import type { Deadline } from '../lib/deadline.ts';
import type { Author } from './author.ts';

export interface Caller {
  /** Absent: the service, on its own. */
  readonly author?: Author | undefined;
  /** Absent: only the database's own time-outs. */
  readonly deadline?: Deadline | undefined;
}

/** Prisma hands nothing on from its models to its adapter. */
const asking = new Ambient<Caller>();

/** Who asked for the statement that Prisma's adapter is given. */
export const prismaCaller = (): Caller | undefined => asking.get();

/** The inner await matters: a Prisma promise only starts its work when it is awaited. */
export const askPrisma = <T>(caller: Caller, ask: () => PromiseLike<T> | T): Promise<T> =>
  asking.run(caller, async () => await ask());

type Model = Record<string, unknown>;

/** Prisma's models, asked on behalf of a caller. What is no model is passed on as it is. */
export function modelsFor<Client extends object>(client: Client, caller: Caller): Client {
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

const modelFor = (model: Model, caller: Caller): Model =>
  new Proxy(model, {
    get(target, name: string) {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => askPrisma(caller, () => Reflect.apply(method, target, args));
    },
  });
