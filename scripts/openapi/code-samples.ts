/** Code samples of an operation: curl and the TypeScript client. */
import { shellQuote, typeScriptLiteral } from '../../src/lib/text/code-literals.ts';

interface SampleOperation {
  method: string;
  path: string;
  operationId: string;
  isPublic: boolean;
  parameters: readonly { [key: string]: unknown }[];
  body: unknown;
}

export function codeSamples({ method, path, operationId, isPublic, parameters, body }: SampleOperation) {
  const parametersIn = (location: string) =>
    parameters.filter((parameter) => parameter.in === location && parameter.example !== undefined) as {
      name: string;
      example: unknown;
    }[];
  const pathWithValues = parametersIn('path').reduce(
    (text, { name, example }) => text.replace(`:${name}`, encodeURIComponent(String(example))),
    path,
  );
  const query = new URLSearchParams(
    parametersIn('query').map(({ name, example }) => [name, String(example)]),
  );
  // Placeholders for values of earlier requests keep their braces, so that they are visible.
  const url = (query.size > 0 ? `${pathWithValues}?${query}` : pathWithValues).replace(
    /%7B(\w+)%7D/g,
    '{$1}',
  );
  const curl = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$DUET_URL"${shellQuote(url)}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${shellQuote(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
  const asObject = (location: string) =>
    Object.fromEntries(parametersIn(location).map(({ name, example }) => [name, example]));
  const request = Object.fromEntries(
    Object.entries({ path: asObject('path'), query: asObject('query'), body: body ?? {} }).filter(
      ([, part]) => Object.keys(part as object).length > 0,
    ),
  );
  const args = Object.keys(request).length > 0 ? typeScriptLiteral(request) : '';
  const typeScript = `import { createClient } from '@duet-gateway/client-rest';

const client = createClient({ url: process.env.DUET_URL ?? '' });
${isPublic ? '' : `client.signIn({ accessToken: process.env.TOKEN ?? '' });\n`}const response = await client.api.${operationId}(${args});
`;
  return [
    { lang: 'Shell', label: 'curl', source: curl },
    { lang: 'TypeScript', label: 'TypeScript', source: typeScript },
  ];
}
