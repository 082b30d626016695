/** Lets the answer of an operation be completed a second time without running its root fields again. */
import type { GraphQLSchema } from 'graphql';

type Outcome = { value: unknown } | { error: unknown };

/** The root value of such an operation: what its root fields came to. */
export class RootReplay {
  readonly #outcomes = new Map<string | number, Outcome>();

  resolveOnce(key: string | number, run: () => unknown): unknown {
    const outcome = this.#outcomes.get(key) ?? outcomeOf(run);
    this.#outcomes.set(key, outcome);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
}

function outcomeOf(run: () => unknown): Outcome {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

/** Makes the root fields of a schema remember their outcomes in a `Replay`. */
export function enableRootReplay(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const { resolve } = field;
      if (!resolve) continue;
      field.resolve = (root, args, ctx, info) =>
        root instanceof RootReplay
          ? root.resolveOnce(info.path.key, () => resolve(undefined, args, ctx, info))
          : resolve(root, args, ctx, info);
    }
  }
  return schema;
}
