/** Browser script of the workbench: API keys with permissions and last use, request budget, and settings of the log. */
export const workbenchKeysAndLimitsScript = `async function showKeys(content) {
  content.append(heading('Your API keys'));
  const query = '{ me { apiTokens { key name value permissions lastUsedAtDateTime expiresAtDateTime } } }';
  const { me } = await runQuery(query);
  const keys = me.apiTokens;
  const at = (text) => (text ? time(Date.parse(text) / 1000) : undefined);
  content.append(keys.length === 0 ? empty('Your account has no API key.') : table('API keys',
    ['Name', 'Key', 'Permissions', 'Last use', 'Expires'],
    keys.map((apiKey) => [apiKey.name, code(apiKey.value), apiKey.permissions ? apiKey.permissions.join(', ') || 'none' : 'all of your roles',
      at(apiKey.lastUsedAtDateTime) ?? 'never', at(apiKey.expiresAtDateTime) ?? 'never'])),
    el('p', { class: 'hint' }, el('a', { href: '/guide/how-to/get-a-token' }, 'Create and revoke keys'), '. Keys of other members are listed under ',
      el('a', { href: '#clients' }, 'Clients'), ' once they are used.'));
}

async function showLimits(content) {
  const settings = await ofBusiness('/request-log-settings');
  content.append(heading('Request budget'));
  if (budget) {
    const used = Math.max(0, budget.limit - budget.remaining);
    content.append(el('meter', { min: 0, max: budget.limit, value: used, high: budget.limit * 0.8, 'aria-label': 'Used units' }),
      el('p', {}, used.toLocaleString() + ' of ' + budget.limit.toLocaleString() + ' units of this minute are used by the token or key that you signed in with. The budget is full again in ' + budget.reset + ' seconds.'),
      el('p', { class: 'hint' }, 'A REST request costs one unit, a GraphQL request one unit per 100 cost points. Every account and every key has its own budget; responses name it in the headers RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset.'));
  } else content.append(empty('This gateway has no request budgets.'));
  content.append(heading('Request log'), facts([
    ['Recording', settings.enabled ? 'on' : 'off (REQUEST_LOG=off)'],
    ['Retention', settings.retentionDays + (settings.retentionDays === 1 ? ' day' : ' days')],
    ['At most', settings.maxRequests.toLocaleString() + ' requests'],
    ['Not recorded today', settings.skippedToday.toLocaleString() + ' requests beyond the share of the business'],
    ['Bodies', settings.bodiesUntil ? el('span', {}, 'recorded until ', time(settings.bodiesUntil)) : 'not recorded'],
  ]));
  const isOn = settings.bodiesUntil !== undefined;
  content.append(el('p', {}, button(isOn ? 'Stop recording bodies' : 'Record bodies for 24 hours', act('', async () => {
    await ofBusiness('/request-log-settings', { method: 'PATCH', body: { recordBodies: !isOn } });
    await showSection();
    say(isOn ? 'Bodies are no longer recorded.' : 'Bodies are recorded for 24 hours.');
  }))), el('p', { class: 'hint' }, 'Bodies show what a client sent, and are needed to send a write or a GraphQL request again. Passwords, tokens, names, addresses and contact data are replaced. Needs ADMIN.'));
}
`;
