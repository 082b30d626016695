/** Browser script of the workbench: shows a request as curl, REST, GraphQL or typed code. */
export const workbenchShowRequestAsScript = String.raw`const quote = (text) => "'" + text.replaceAll("'", "'\\''") + "'";
const isGraphql = ({ protocol }) => protocol === 'GRAPHQL';
const versionHeader = (call) => (call.apiVersion ? { 'x-duet-version': call.apiVersion } : {});

/** The request as an HTTP request; undefined for a GraphQL request whose document was not recorded. */
function requestOf(call) {
  if (!isGraphql(call)) return { method: call.method, path: call.path, body: call.body };
  const { query, documentId, operationName, variables } = call.body ?? {};
  return query || documentId ? { method: 'POST', path: '/graphql', body: { query, documentId, operationName, variables } } : undefined;
}

function asCurl(call) {
  const { method, path, body } = requestOf(call);
  return ['curl' + (method === 'GET' ? '' : ' -X ' + method) + ' ' + quote(location.origin + path),
    '-H "Authorization: Bearer $TOKEN"',
    ...(call.apiVersion ? ['-H ' + quote('X-Duet-Version: ' + call.apiVersion)] : []),
    ...(body ? ["-H 'Content-Type: application/json'", '-d ' + quote(JSON.stringify(body))] : [])].join(' \\\n  ');
}

/** TypeScript for the client package of GraphQL. */
function asGraphqlCode({ query, variables = {} }) {
  const name = /^\s*(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? 'Operation';
  return ["import { createClient } from '@duet-gateway/client-graphql';", "import { gql } from '@duet-gateway/client-graphql/gql';", '',
    'const ' + name + ' = gql(' + JSON.stringify(query) + ');',
    "const client = createClient({ url: '" + location.origin + "', tokens: { accessToken: 'TOKEN' } });",
    'const data = await client.run(' + name + ', ' + JSON.stringify(variables, null, 2) + ');', 'console.log(data);', ''].join('\n');
}

/** The operation that the route of a REST request runs, from the translator of the gateway. */
async function translate(call) {
  const { method, path, body = {} } = call;
  // The placeholder of a token makes the printed code send one.
  const sent = new Headers([['authorization', 'Bearer TOKEN'], ...Object.entries(versionHeader(call))]);
  const response = await send('/migrate', { method: 'POST', body: { method, path, headers: Object.fromEntries(sent), body } });
  if (!response.ok) throw new Error('This request has no operation of its own.');
  return response.json();
}

/** The REST calls that run the root fields of a GraphQL request. */
async function asRest({ body: { query, documentId, operationName, variables = {} } }) {
  const response = await send('/migrate', { method: 'POST', body: { query, documentId, operationName, variables } });
  const { calls, message } = await response.json();
  if (!response.ok) throw new Error(message);
  return calls.flatMap(({ field, call }) => {
    if (!call) return [[field, 'REST has no call for ' + field + ' with these arguments.']];
    const { method, path, headers, body, missingFields } = call;
    const lines = [method + ' ' + path, ...Object.entries(headers).map(([name, value]) => name + ': ' + value)];
    return [[field, lines.join('\n') + (body ? '\n\n' + pretty(body) : '')],
      ...(missingFields.length > 0 ? [[field, 'REST has no field for ' + missingFields.join(', ') + '.', null]] : [])];
  });
}

function showAs(call) {
  const output = el('div', { class: 'answer' });
  if (!requestOf(call)) return el('div', {}, el('h3', {}, 'Show as'),
    empty('The document of this request was not recorded. Switch on the recording of bodies under Limits, and send the request again.'));
  const forms = isGraphql(call)
    ? [['GraphQL', () => [['Operation', call.body.query ?? call.body.documentId], ['Variables', pretty(call.body.variables ?? {})]]],
      ['REST', () => asRest(call)],
      ['curl', () => [['curl', asCurl(call)]]],
      call.body.query && ['TypeScript', () => [['TypeScript', asGraphqlCode(call.body)]]]]
    : [['REST', () => [['REST', call.method + ' ' + call.path + (call.body ? '\n\n' + pretty(call.body) : '')]]],
      ['curl', () => [['curl', asCurl(call)]]],
      ['GraphQL', async () => {
        const { document: text, variables, graphiql } = await translate(call);
        return [['Operation', text], ['Variables', pretty(variables)], ...(graphiql ? [['Open in GraphiQL', undefined, graphiql]] : [])];
      }],
      ['TypeScript', async () => [['TypeScript', (await translate(call)).typescript]]]];
  const buttons = forms.filter(Boolean).map(([name, print]) => button(name, async () => {
    for (const other of buttons) other.setAttribute('aria-pressed', String(other.textContent === name));
    try {
      output.replaceChildren(...(await print()).map(([label, text, href]) => (href ? el('a', { href }, label) : href === null ? el('p', { class: 'hint' }, text) : block(text, label))));
    } catch (error) {
      output.replaceChildren(empty(error.message));
    }
  }, { 'aria-pressed': 'false' }));
  return el('div', {}, el('h3', {}, 'Show as'), el('div', { class: 'choices', role: 'group', 'aria-label': 'Show as' }, buttons), output);
}
`;
