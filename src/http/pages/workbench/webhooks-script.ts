/** Browser script of the workbench: webhook endpoints, their deliveries, test events and replays. */
export const workbenchWebhooksScript = `async function showWebhooks(content) {
  const { items } = await ofBusiness('/webhooks?limit=100');
  content.append(heading('Webhook endpoints'));
  if (items.length === 0) return void content.append(empty('This business has no webhook endpoint. '), el('p', {}, el('a', { href: '/guide/how-to/receive-webhooks' }, 'How to receive webhooks')));
  content.append(el('ol', { class: 'groups' }, items.map(renderEndpoint)));
}

function renderEndpoint(endpoint) {
  const path = '/webhooks/' + endpoint.id;
  const deliveries = el('div', { class: 'answer' });
  const load = async () => {
    const { items } = await ofBusiness(path + '/deliveries?limit=20');
    deliveries.replaceChildren(items.length === 0 ? empty('No delivery yet.') : el('ol', { class: 'calls', 'aria-label': 'Deliveries' }, items.map((delivery) => renderDelivery(path, delivery, load))));
  };
  return el('li', {},
    el('p', { class: 'title' }, el('strong', { class: endpoint.status === 'ACTIVE' ? 'good' : 'bad' }, endpoint.status), ' ', el('span', { class: 'operation' }, endpoint.url)),
    endpoint.description && el('p', {}, endpoint.description),
    el('p', { class: 'hint' }, 'Events: ' + endpoint.events.join(', ') + (endpoint.disabledReason ? '. Disabled: ' + endpoint.disabledReason.toLowerCase() : '')),
    el('p', { class: 'choices' },
      button('Show deliveries', act('', load), { 'aria-label': 'Show deliveries: ' + endpoint.url }),
      button('Send a test event', act('The test event is on its way.', async () => {
        await ofBusiness(path + '/test', { method: 'POST', body: {} });
        await load();
      }), { 'aria-label': 'Send a test event: ' + endpoint.url })),
    deliveries);
}

function renderDelivery(path, delivery, reload) {
  const isFailure = delivery.status === 'FAILED' || (delivery.lastError ?? null) !== null;
  return el('li', {}, el('div', { class: 'delivery' },
    el('span', { class: 'outcome ' + (delivery.status === 'DELIVERED' ? 'good' : isFailure ? 'bad' : '') }, delivery.status),
    el('span', { class: 'operation' }, delivery.type),
    el('span', { class: 'who' }, delivery.attempts + (delivery.attempts === 1 ? ' attempt' : ' attempts') + (delivery.lastStatusCode ? ', status ' + delivery.lastStatusCode : '')),
    el('span', { class: 'when' }, time(delivery.lastAttemptAt ?? delivery.createdAt)),
    button('Replay', act('The event is sent again.', async () => {
      await ofBusiness(path + '/deliveries/' + delivery.id + '/replay', { method: 'POST', body: {} });
      await reload();
    }), { 'aria-label': 'Replay ' + delivery.id }),
    delivery.lastError && el('p', { class: 'hint' }, delivery.lastError)));
}
`;
