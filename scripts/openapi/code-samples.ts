/** The example of an operation as somebody would write it: for a shell, and with our own client. */
import { inspect } from 'node:util';

interface Shown {
  method: string;
  path: string;
  operationId: string;
  isPublic: boolean;
  parameters: readonly { [key: string]: unknown }[];
  body: unknown;
}

/** A text between single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const literal = (value: unknown) =>
  inspect(value, { depth: null, breakLength: 80, maxArrayLength: null, maxStringLength: null });

export function codeSamples({ method, path, operationId, isPublic, parameters, body }: Shown) {
  const given = (place: string) =>
    parameters.filter((one) => one.in === place && one.example !== undefined) as {
      name: string;
      example: unknown;
    }[];
  const address = given('path').reduce(
    (text, { name, example }) => text.replace(`:${name}`, encodeURIComponent(String(example))),
    path,
  );
  const query = new URLSearchParams(given('query').map(({ name, example }) => [name, String(example)]));
  // What has to be asked for first stands out.
  const asked = (query.size > 0 ? `${address}?${query}` : address).replace(/%7B(\w+)%7D/g, '{$1}');
  const curl = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$DUET_URL"${quoted(asked)}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
  const asObject = (place: string) =>
    Object.fromEntries(given(place).map(({ name, example }) => [name, example]));
  const request = Object.fromEntries(
    Object.entries({ path: asObject('path'), query: asObject('query'), body: body ?? {} }).filter(
      ([, part]) => Object.keys(part as object).length > 0,
    ),
  );
  const args = Object.keys(request).length > 0 ? literal(request) : '';
  const typed = `import { createClient } from 'duet-client-rest';

const client = createClient({ url: process.env.DUET_URL ?? '' });
${isPublic ? '' : `client.signIn({ accessToken: process.env.TOKEN ?? '' });\n`}const answer = await client.api.${operationId}(${args});
`;
  return [
    { lang: 'Shell', label: 'curl', source: curl },
    { lang: 'TypeScript', label: 'TypeScript', source: typed },
  ];
}
