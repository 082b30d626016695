/** Asks what an example needs first: what no page can print, as the gateway signs it. Runs in the browser. */
export const prerequisitesScript = String.raw`const fill = (text, taken) => text.replace(/\{(\w+)\}/g, (all, name) => taken[name] ?? all);
const pause = (ms) => new Promise((next) => setTimeout(next, ms));

/** The example of an operation, but for what the step has instead. Without a token of its own it is sent as whoever the page calls as. */
async function ask({ path: instead = {}, body: other, bearer }, { path, method, operation }, taken) {
  const address = (operation.parameters ?? []).map(read).filter((one) => one.in === 'path').reduce((text, { name, example }) =>
    text.replace('{' + name + '}', encodeURIComponent(fill(String(instead[name] ?? example), taken))), path);
  const body = other ?? operation.requestBody?.content?.['application/json']?.example;
  const headers = new Headers({ accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) });
  if (bearer) headers.set('authorization', 'Bearer ' + fill(bearer, taken));
  const response = await fetch(address, { method, headers, ...(body ? { body: fill(JSON.stringify(body), taken) } : {}) });
  const answer = await response.json();
  if (!response.ok) throw new Error(operation.summary + ' comes first, and was refused: ' + answer.message);
  return (pointer) => pointer.slice(1).split('/').reduce((at, key) => at?.[key], answer);
}

/** Mails come a moment after what causes them. */
async function mailTo(address, links) {
  for (let tries = 0; tries < 40; tries++) {
    const response = await fetch('/sandbox/outbox', { headers: { accept: 'application/json' } });
    if (!response.ok) break;
    const { items } = await response.json();
    const tokenAt = (link) => items.filter(({ to }) => to === address).map(({ text }) => text.split(link + '?token=')[1]?.split(/\s/)[0]).find(Boolean);
    if (links.every(tokenAt)) return tokenAt;
    await pause(250);
  }
  throw new Error('The token is in a mail to ' + address + ', which the outbox of this gateway does not show.');
}

/** What stands for {name} in the example; each step is told as it is done. */
async function askFirst(first, tell) {
  const taken = { fresh: Date.now().toString(36) };
  for (const step of first) {
    const { operationId, take = {} } = step;
    const to = step.outbox && fill(step.outbox, taken);
    const call = calls.find(({ operation }) => operation.operationId === operationId);
    const found = to ? await mailTo(to, Object.values(take)) : await ask(step, call, taken);
    for (const [name, place] of Object.entries(take)) taken[name] = found(place);
    tell(el('li', {}, to ? el('a', { href: '/sandbox/outbox' }, 'Mail to ' + to) : el('a', { href: '#' + operationId }, call.operation.summary),
      Object.keys(take).map((name) => el('div', {}, el('code', {}, '{' + name + '} = ' + taken[name])))));
  }
  return taken;
}

/** Whether something is still to be put in. Who has written all of it themselves has it sent as it is. */
const isOpen = (first, text) => first.some(({ take = {} }) => Object.keys(take).some((name) => text.includes('{' + name + '}')));
`;
