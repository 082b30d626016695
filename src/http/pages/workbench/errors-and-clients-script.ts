/** Browser script of the workbench: errors by operation and code, clients with their API versions, and deprecated fields in use. */
export const workbenchErrorsAndClientsScript = `const plain = (text) => text?.replaceAll(String.fromCharCode(96), '');

async function showErrors(content) {
  const { errors } = await ofBusiness('/request-errors?days=7');
  content.append(heading('Errors of the last seven days'));
  if (errors.length === 0) return void content.append(empty('No request of the log failed.'));
  content.append(el('ol', { class: 'groups' }, errors.map((group) => el('li', {},
    el('p', { class: 'title' }, el('strong', { class: 'bad' }, group.code), ' ', el('span', { class: 'operation' }, group.operation)),
    group.message && el('p', {}, group.message),
    group.advice && el('p', { class: 'advice' }, plain(group.advice)),
    el('p', { class: 'hint' }, group.requests + (group.requests === 1 ? ' request' : ' requests') + ' of ' + group.clients + (group.clients === 1 ? ' client' : ' clients') + ', last ', time(group.lastAt), '. ',
      el('a', { href: '#requests?' + new URLSearchParams({ failed: 'true', code: group.code, operation: group.operation }) }, 'Show the requests'))))));
}

async function showClients(content) {
  const { clients } = await ofBusiness('/request-clients?days=7');
  content.append(heading('Clients of the last seven days'));
  content.append(clients.length === 0 ? empty('No request of a client is in the log.') : table('Clients',
    ['Client', 'Protocol', 'API version', 'Requests', 'Errors', 'Last'],
    clients.map((client) => [callerOf(client), client.protocol === 'REST' ? 'REST' : 'GraphQL',
      client.protocol === 'REST' ? client.apiVersion ?? 'default' : '–', String(client.requests), String(client.errors), time(client.lastAt)])),
    el('p', { class: 'hint' }, 'A client names itself with the header X-Client-Name. Busy businesses have a sample of their successes in the log.'));
  content.append(heading('Deprecated fields in use'));
  try {
    const query = 'query WorkbenchUsage($businessId: ID!) { usage(businessId: $businessId, days: 30, kind: FIELD) { name client keyName calls lastAtDateTime deprecationReason } }';
    const { usage } = await runQuery(query, { businessId });
    const uses = usage.filter(({ deprecationReason }) => deprecationReason !== null);
    content.append(uses.length === 0 ? empty('The API keys of this business used no deprecated field in the last 30 days.') : table('Deprecated fields',
      ['Field', 'Instead', 'API key', 'Calls', 'Last'],
      uses.map((use) => [code(use.name), plain(use.deprecationReason), use.keyName ?? use.client, String(use.calls), time(Date.parse(use.lastAtDateTime) / 1000)])));
  } catch (error) {
    content.append(el('p', { class: 'problem' }, explain(error)));
  }
}
`;
