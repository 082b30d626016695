/** Browser script of the workbench: form that sends a request again. */
export const workbenchSendRequestAgainScript = String.raw`const removed = '[redacted]';
/** Whether payments and mails of this gateway are captured. Elsewhere a write that is sent again would sell or mail a second time. */
const isSandbox = document.querySelector('.workbench').dataset.sandbox === 'on';
const isMutation = (text) => /(^|[\s}"]|\\n)mutation\b/.test(text);
const productionOnly = 'This gateway is not a sandbox: writes are not sent again from here. Copy the request as curl, and send it to a test gateway.';

/** Reads are sent at once; a write is sent to a sandbox only, and needs a confirmation, because it changes data of the business. */
function replayForm(call) {
  const request = requestOf(call);
  if (!request) return undefined;
  if (call.isWrite && !isSandbox) return el('div', {}, el('h3', {}, 'Send again'), empty(productionOnly));
  const path = el('input', { name: 'path', value: request.path, autocomplete: 'off', spellcheck: 'false', 'aria-label': 'Path' });
  const text = request.body || (call.isWrite && call.method !== 'DELETE')
    ? el('textarea', { name: 'body', spellcheck: 'false', rows: 6, 'aria-label': 'Body' }) : undefined;
  const isIncomplete = text && !request.body;
  if (text) text.value = request.body ? JSON.stringify(request.body, null, 2) : '{}';
  const confirm = el('input', { type: 'checkbox', required: true });
  const output = el('div', { class: 'answer', role: 'status' });
  const form = el('form', { class: 'replay' },
    el('div', { class: 'line' }, el('span', { class: 'method' }, request.method), path), text,
    isIncomplete && el('p', { class: 'hint' }, 'The body was not recorded: write it here, or switch on the recording of bodies under Limits.'),
    call.isWrite && el('label', { class: 'confirm' }, confirm, ' This changes data of the business. Send it anyway.'),
    el('div', {}, el('button', { class: 'main' }, 'Send again')), output);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if ((path.value + (text?.value ?? '')).includes(removed)) {
      output.replaceChildren(el('p', { class: 'bad' }, 'Replace each ' + removed + ' first: secrets and personal data are not in the log.'));
      return;
    }
    // Other origins must not receive the token.
    if (!/^\/(v1\/|graphql$)/.test(path.value)) {
      output.replaceChildren(el('p', { class: 'bad' }, 'The path must begin with /v1/ or be /graphql.'));
      return;
    }
    if (!call.isWrite && isGraphql(call) && isMutation(text?.value ?? '')) {
      output.replaceChildren(el('p', { class: 'bad' }, 'The recorded request was a read: a mutation is not sent in its place.'));
      return;
    }
    confirm.checked = false;
    output.replaceChildren('Sending…');
    try {
      const startedAt = performance.now();
      const response = await send(path.value, { method: request.method, body: text?.value, headers: versionHeader(call), client: 'duet-workbench-replay' });
      const answer = await response.text();
      let body = answer;
      try { body = pretty(JSON.parse(answer)); } catch { /* Shown as it is. */ }
      output.replaceChildren(
        el('p', {}, el('strong', { class: response.ok ? 'good' : 'bad', 'data-status': response.status }, response.status + ' ' + response.statusText), ' in ' + Math.round(performance.now() - startedAt) + ' ms'),
        block(body, 'Response'));
    } catch (error) {
      output.replaceChildren(el('p', { class: 'bad' }, error.message));
    }
  });
  return el('div', {}, el('h3', {}, 'Send again'), form);
}
`;
