/** Prerequisites of an example: requests that obtain values for it, as a sentence and as OpenAPI links. */
import type { Step } from '../../test/parity/fixtures.ts';

const listFormat = new Intl.ListFormat('en', { type: 'conjunction' });

/** The placeholder of the example is the last value that the steps take. */
export function describePrerequisites(steps: readonly Step[]): string {
  const placeholder = steps.flatMap(({ take = {} }) => Object.keys(take)).at(-1);
  const operations = steps.flatMap((step) => ('operationId' in step ? [`\`${step.operationId}\``] : []));
  const mailHint = steps.some((step) => 'outbox' in step) ? '; the token is in the captured mail' : '';
  return `To obtain \`{${placeholder}}\` of the example, call ${listFormat.format(operations)} first${mailHint}.`;
}

interface PrintedOperation {
  operationId?: string;
  parameters?: { in: string; name: string; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses?: Record<string, { links?: object }>;
  'x-example'?: { first?: readonly Step[] };
}

/** Adds an OpenAPI link to the response from which an example takes all its values. Examples with several prerequisites have none. */
export function addResponseLinks(operations: readonly PrintedOperation[]): void {
  for (const target of operations) {
    const [step, ...otherSteps] = target['x-example']?.first ?? [];
    if (!step || !('operationId' in step) || otherSteps.length > 0) continue;
    const response = operations.find(({ operationId }) => operationId === step.operationId)?.responses?.[200];
    if (response)
      response.links = { ...response.links, [target.operationId ?? '']: linkTo(target, step.take ?? {}) };
  }
}

/** Link in OpenAPI runtime expressions. Path parameters that are not taken from the response are those of the request. */
function linkTo(
  { operationId, parameters = [], requestBody }: PrintedOperation,
  take: Record<string, string>,
) {
  const toExpression = (text: string, format: (expression: string) => string) =>
    text.replace(/\{(\w+)\}/, (all, name: string) =>
      take[name] ? format(`$response.body#${take[name]}`) : all,
    );
  const pathParameters = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, example }) => {
      const value = toExpression(String(example), (expression) => expression);
      return [name, value === String(example) ? `$request.path.${name}` : value];
    });
  const body = requestBody?.content['application/json']?.example;
  return {
    operationId,
    ...(pathParameters.length > 0 ? { parameters: Object.fromEntries(pathParameters) } : {}),
    ...(body
      ? { requestBody: JSON.parse(toExpression(JSON.stringify(body), (expression) => `{${expression}}`)) }
      : {}),
    description: `Values of this response that \`${operationId}\` needs.`,
  };
}
