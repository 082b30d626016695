/** Code that sends a translated request: TypeScript for @duet-gateway/client-graphql, and curl. Tokens are never part of it. */
import { shellQuote } from '../../lib/text/code-literals.ts';
import type { ParsedRoute } from '../route-with-parsed-operation.ts';
import { formatAccessPath } from './format-access-path.ts';
import { shellJsonWithEnvironment, typeScriptWithEnvironment } from './shell-variables.ts';
import type { TranslatedRequest } from './translate-request.ts';

/** TypeScript that runs the operation and reads what REST returns. */
export function formatClientCode({
  parsedRoute,
  document,
  documentId,
  variables,
  numericShellVariables,
  headers,
}: TranslatedRequest): string {
  const { name } = parsedRoute.route.operation;
  const documentName = `${name}Document`;
  const imports = [
    `import { createClient } from '@duet-gateway/client-graphql';`,
    documentId !== undefined
      ? `import { ${documentName} } from '@duet-gateway/client-graphql/operations';`
      : `import { gql } from '@duet-gateway/client-graphql/gql';`,
  ];
  const definition = documentId !== undefined ? [] : [`const ${documentName} = gql(\`${document}\`);`, ''];
  const key = headers['idempotency-key'];
  const args = [
    documentName,
    typeScriptWithEnvironment(variables, numericShellVariables),
    ...(key === undefined ? [] : [`{ idempotencyKey: ${typeScriptWithEnvironment(key)} }`]),
  ];
  const { root, lines } = resultOf(parsedRoute);
  return [
    ...imports,
    '',
    ...definition,
    `const client = createClient({ url: process.env.DUET_URL ?? ''${credentials(headers)} });`,
    `const { ${root} } = await client.run(${args.join(', ')});`,
    ...lines,
    '',
  ].join('\n');
}

function credentials(headers: Readonly<Record<string, string>>): string {
  if (headers['x-api-key'] !== undefined) return `, apiKey: process.env.API_KEY`;
  return headers.authorization === undefined ? '' : `, tokens: { accessToken: process.env.TOKEN ?? '' }`;
}

/** Root field of the operation, and the lines that read the REST response from it. */
function resultOf(parsedRoute: ParsedRoute): { root: string; lines: string[] } {
  const { method, response, recordName, operation } = parsedRoute.route;
  if ('success' in response) {
    const root = /^\s*(?:query|mutation)[^{]*\{\s*(\w+)/m.exec(operation.source)?.[1] ?? 'data';
    return { root, lines: [`console.log(${root}); // REST: { success: true }`] };
  }
  const path = 'list' in response ? response.list : 'value' in response ? response.value : response.at;
  const [root = ''] = path.split('.');
  const value = formatAccessPath(parsedRoute, path);
  if ('list' in response)
    return {
      root,
      lines: [
        `const items = ${formatAccessPath(parsedRoute, `${path}.nodes`)};`,
        `const pageInfo = ${formatAccessPath(parsedRoute, `${path}.pageInfo`)};`,
        'const cursor = pageInfo?.hasNextPage ? pageInfo.endCursor : null;',
        'console.log(items, cursor);',
      ],
    };
  if ('value' in response) return { root, lines: [`console.log({ ${response.as}: ${value} });`] };
  const comment = method === 'GET' ? ` // null if REST responds 404, ${recordName} not found` : '';
  return { root, lines: [`console.log(${value});${comment}`] };
}

/** curl command of the GraphQL request, with the token in a shell variable. */
export function formatGraphqlCurl({
  parsedRoute,
  document,
  documentId,
  variables,
  numericShellVariables,
  headers,
}: TranslatedRequest): string {
  const { name } = parsedRoute.route.operation;
  const body =
    documentId === undefined
      ? { query: document, operationName: name, variables }
      : { documentId, variables };
  const credential =
    headers['x-api-key'] !== undefined
      ? [`-H "X-API-Key: $API_KEY"`]
      : headers.authorization !== undefined
        ? [`-H "Authorization: Bearer $TOKEN"`]
        : [];
  const key = headers['idempotency-key'];
  return [
    'curl "$DUET_URL"/graphql',
    `-H 'Content-Type: application/json'`,
    ...credential,
    ...(key === undefined ? [] : [`-H ${shellQuote(`Idempotency-Key: ${key}`)}`]),
    `-d ${shellJsonWithEnvironment(body, numericShellVariables)}`,
  ].join(' \\\n  ');
}
