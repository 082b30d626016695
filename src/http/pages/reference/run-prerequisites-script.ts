/** Browser script of the REST reference: runs the requests that an example depends on, such as those that return a signed token. */
export const referencePrerequisitesScript = String.raw`const fill = (text, values) => text.replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
const pause = (ms) => new Promise((next) => setTimeout(next, ms));

/** Sends the example request of an operation, with the step's own path values and body. Without a bearer token of its own it uses the session of the page. */
async function sendStep({ path: pathValues = {}, body: stepBody, bearer }, { path, method, operation }, values) {
  const address = (operation.parameters ?? []).map(resolveRef).filter((parameter) => parameter.in === 'path').reduce((text, { name, example }) =>
    text.replace('{' + name + '}', encodeURIComponent(fill(String(pathValues[name] ?? example), values))), path);
  const body = stepBody ?? operation.requestBody?.content?.['application/json']?.example;
  const headers = new Headers({ accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) });
  if (bearer) headers.set('authorization', 'Bearer ' + fill(bearer, values));
  const response = await fetch(address, { method, headers, ...(body ? { body: fill(JSON.stringify(body), values) } : {}) });
  const result = await response.json();
  if (!response.ok) throw new Error('The preceding request failed (' + operation.summary + '): ' + result.message);
  return (pointer) => pointer.slice(1).split('/').reduce((node, key) => node?.[key], result);
}

/** Polls the outbox for up to 10 seconds: mails are sent by a job. */
async function mailTo(address, links) {
  for (let tries = 0; tries < 40; tries++) {
    const response = await fetch('/sandbox/outbox', { headers: { accept: 'application/json' } });
    if (!response.ok) break;
    const { items } = await response.json();
    const tokenAt = (link) => items.filter(({ to }) => to === address).map(({ text }) => text.split(link + '?token=')[1]?.split(/\s/)[0]).find(Boolean);
    if (links.every(tokenAt)) return tokenAt;
    await pause(250);
  }
  throw new Error('The token is in a mail to ' + address + ', which is not in the outbox of this gateway.');
}

/** Runs the steps and returns the values of the {name} placeholders; reports each finished step. */
async function runPrerequisites(first, report) {
  const values = { fresh: Date.now().toString(36) };
  for (const step of first) {
    const { operationId, take = {} } = step;
    const to = step.outbox && fill(step.outbox, values);
    const call = calls.find(({ operation }) => operation.operationId === operationId);
    const extract = to ? await mailTo(to, Object.values(take)) : await sendStep(step, call, values);
    for (const [name, position] of Object.entries(take)) values[name] = extract(position);
    report(el('li', {}, to ? el('a', { href: '/sandbox/outbox' }, 'Mail to ' + to) : el('a', { href: '#' + operationId }, call.operation.summary),
      Object.keys(take).map((name) => el('div', {}, el('code', {}, '{' + name + '} = ' + values[name])))));
  }
  return values;
}

/** Whether the form still contains a placeholder; a form without one is sent unchanged. */
const hasPlaceholder = (first, text) => first.some(({ take = {} }) => Object.keys(take).some((name) => text.includes('{' + name + '}')));
`;
