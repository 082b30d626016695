/** What an example needs first, in words, and as links from the answers that hold it. */
import type { Step } from '../../test/parity/fixtures.ts';

const inWords = new Intl.ListFormat('en', { type: 'conjunction' });

/** The last name taken is what the example is about. */
export function askedFirst(first: readonly Step[]): string {
  const wanted = first.flatMap(({ take = {} }) => Object.keys(take)).at(-1);
  const asked = first.flatMap((step) => ('operationId' in step ? [`\`${step.operationId}\``] : []));
  const seen = first.some((step) => 'outbox' in step)
    ? '; the token is in the mail, which the outbox shows'
    : '';
  return `For \`{${wanted}}\` of the example ask ${inWords.format(asked)} first${seen}.`;
}

interface Printed {
  operationId?: string;
  parameters?: { in: string; name: string; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses?: Record<string, { links?: object }>;
  'x-example'?: { first?: readonly Step[] };
}

/** Where one answer holds all that an example needs, the answer has a link to it. */
export function linkAnswers(operations: readonly Printed[]): void {
  for (const target of operations) {
    const [step, ...more] = target['x-example']?.first ?? [];
    if (!step || !('operationId' in step) || more.length > 0) continue;
    const answer = operations.find((one) => one.operationId === step.operationId)?.responses?.[200];
    if (answer)
      answer.links = { ...answer.links, [target.operationId ?? '']: linkTo(target, step.take ?? {}) };
  }
}

/** In the runtime expressions of OpenAPI. What is in no answer is where it was in the request. */
function linkTo({ operationId, parameters = [], requestBody }: Printed, take: Record<string, string>) {
  const expressed = (text: string, around: (expression: string) => string) =>
    text.replace(/\{(\w+)\}/, (all, name: string) =>
      take[name] ? around(`$response.body#${take[name]}`) : all,
    );
  const inPath = parameters
    .filter((one) => one.in === 'path')
    .map(({ name, example }) => {
      const found = expressed(String(example), (expression) => expression);
      return [name, found === String(example) ? `$request.path.${name}` : found];
    });
  const body = requestBody?.content['application/json']?.example;
  return {
    operationId,
    ...(inPath.length > 0 ? { parameters: Object.fromEntries(inPath) } : {}),
    ...(body ? { requestBody: JSON.parse(expressed(JSON.stringify(body), (one) => `{${one}}`)) } : {}),
    description: `What \`${operationId}\` takes from this answer.`,
  };
}
