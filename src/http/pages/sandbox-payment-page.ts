/** Payment page of the sandbox, for gateways without a payment provider. Works without scripts. */
import type { SandboxPaymentProvider } from '../../adapters/payments/sandbox.ts';
import {
  type SandboxSubscriptionAction,
  type SandboxSubscriptionRow,
  sandboxSubscriptionActions,
} from '../../adapters/payments/sandbox-subscriptions.ts';
import {
  type SandboxPaymentAction,
  type SandboxPaymentSession,
  sandboxPaymentActions,
} from '../../adapters/payments/sandbox-transitions.ts';
import type { Services } from '../../context.ts';
import { receivePaymentWebhook } from '../../domains/payments/receive-payment-event.ts';
import { AppError, notFoundError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http-message.ts';
import { formatMoney } from '../../lib/commerce/format-money.ts';
import type { Endpoint } from '../endpoint-route.ts';
import { renderCardPage, renderCustomerPage } from './customer/customer-page-layout.ts';
import { safeHtml } from './html-template-and-page-frame.ts';

const path = '/sandbox/pay/';
const maxFormBytes = 1024;

export const createSandboxPayEndpoint = (services: Services, sandbox: SandboxPaymentProvider): Endpoint => ({
  path,
  methods: ['GET', 'POST'],
  async handle(request) {
    const session = await sandbox.find(request.path.slice(path.length));
    if (!session) throw notFoundError('Payment');
    if (request.method === 'POST') return handleAction(services, sandbox, session, await readAction(request));
    return renderOpenSession(session, await sandbox.findRecurring(session.id));
  },
});

async function readAction(request: HttpRequest): Promise<string> {
  const form = new URLSearchParams((await request.body(maxFormBytes)).toString());
  return form.get('action') ?? '';
}

async function handleAction(
  services: Services,
  sandbox: SandboxPaymentProvider,
  session: SandboxPaymentSession,
  action: string,
): Promise<HttpResponse> {
  const { returnUrl, cancelUrl } = session.request;
  if (action === 'cancel') return redirect(cancelUrl);
  const event = await applyAction(sandbox, session, action);
  if (event) {
    // Takes the same path as an external provider's webhook: signed, verified, applied once. A job repeats it if the process dies here.
    const { body, header } = sandbox.sign(event);
    await receivePaymentWebhook(services, body, header);
  }
  const isPayment = action === 'pay' || action === 'transfer';
  return redirect(isPayment && (event || session.state === 'PAID') ? returnUrl : path + session.id);
}

function applyAction(sandbox: SandboxPaymentProvider, { id }: SandboxPaymentSession, action: string) {
  if (isAction(action)) return sandbox.applyAction(id, action);
  if (isRecurringAction(action)) return sandbox.applyRecurringAction(id, action);
  const refund = action.replace(/^fail-refund:/, '');
  if (refund === action)
    throw new AppError('BAD_REQUEST', 'Unknown action. Use one of the buttons of the payment page.');
  return sandbox.failRefund(id, refund);
}

const isRecurringAction = (action: string): action is SandboxSubscriptionAction =>
  (sandboxSubscriptionActions as readonly string[]).includes(action);

const isAction = (action: string): action is SandboxPaymentAction =>
  (sandboxPaymentActions as readonly string[]).includes(action);

const redirect = (location: string): HttpResponse => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: null,
});

function renderOpenSession(
  session: SandboxPaymentSession,
  recurring: SandboxSubscriptionRow | undefined,
): HttpResponse {
  const { state, declines, request } = session;
  const { merchant, title, amount, currency, lines, returnUrl, cancelUrl, interval } = request;
  if (state !== 'OPEN') return renderClosedSession(state, session, recurring);
  const rows = lines.map(
    (line) =>
      safeHtml`<tr><td>${line.name}${line.quantity > 1 && safeHtml` <span class="quantity">× ${line.quantity}</span>`}</td><td>${formatMoney(line.amount, currency)}</td></tr>`,
  );
  const total = formatMoney(amount, currency);
  const declinedAlert =
    declines > 0 &&
    safeHtml`<p class="alert" role="alert">Your card was declined. Try again, or use another card.</p>`;
  const body = safeHtml`<div class="two">
<section aria-labelledby="merchant"><h1 id="merchant">Pay ${merchant}</h1>${title && safeHtml`<p class="note">${title}</p>`}<p class="total">${total}${interval && ` ${intervalTexts[interval]}`}</p>
<table><tbody>${rows}<tr class="sum"><td>Total due</td><td>${total}</td></tr></tbody></table></section>
<section class="card" aria-labelledby="card"><h2 id="card">Pay with card</h2>${declinedAlert}
<dl><dt>Card number</dt><dd>4242 4242 4242 4242</dd><dt>Expires</dt><dd>12 / 34</dd><dt>Security code</dt><dd>123</dd></dl>
<form method="post"><button class="main" name="action" value="pay">Pay ${total}</button><button name="action" value="transfer">Pay by bank transfer</button><button name="action" value="decline">Decline</button><button name="action" value="cancel">Cancel</button></form>
<p class="note">This is a sandbox: no card is charged. “Decline” simulates a card that the bank rejects; a bank transfer arrives when you confirm it on the next page.</p></section>
</div>`;
  return renderCustomerPage(`Pay ${merchant}`, body, {
    businessName: merchant,
    formTargets: [new URL(returnUrl).origin, new URL(cancelUrl).origin],
  });
}

const closedTexts = {
  PAID: ['This has been paid', 'Thank you, the payment went through.'],
  PROCESSING: ['This transfer is being processed', 'You will be notified when the payment has arrived.'],
  FAILED: ['This transfer has failed', 'Nothing was charged. Go back to the shop to pay in another way.'],
  EXPIRED: ['This payment has expired', 'Nothing was charged. Go back to the shop to order again.'],
} as const;

const intervalTexts = { WEEKLY: 'a week', MONTHLY: 'a month', YEARLY: 'a year' } as const;

/** Buttons that simulate later events of a subscription. */
const renewalButtons = ({ state, failing, cancelAtPeriodEnd }: SandboxSubscriptionRow) =>
  state === 'ENDED'
    ? []
    : [
        button('renew', cancelAtPeriodEnd ? 'End at the period end' : 'Renew now'),
        failing
          ? button('mend-renewal', 'Let renewals succeed again')
          : button('fail-renewal', 'Let the renewal fail'),
        button('end-renewal', 'End the subscription'),
      ];

function renderClosedSession(
  state: keyof typeof closedTexts,
  { request, refunds }: SandboxPaymentSession,
  recurring: SandboxSubscriptionRow | undefined,
): HttpResponse {
  const { merchant, returnUrl, cancelUrl, currency } = request;
  const [title, text] = closedTexts[state];
  const target = state === 'PAID' || state === 'PROCESSING' ? returnUrl : cancelUrl;
  const buttons = [
    ...(state === 'PROCESSING'
      ? [button('settle', 'Let the transfer succeed'), button('fail', 'Let the transfer fail')]
      : []),
    ...(state === 'PAID' && refunds.dispute === undefined
      ? [button('dispute', 'Dispute this payment'), button('lose', 'Charge back this payment')]
      : []),
    ...(recurring ? renewalButtons(recurring) : []),
    ...Object.entries(refunds)
      .filter(([key]) => !key.startsWith('failed:') && key !== 'dispute')
      .map(([key, amount]) =>
        button(`fail-refund:${key}`, `Let the refund of ${formatMoney(amount, currency)} fail`),
      ),
  ];
  return renderCardPage(
    title,
    safeHtml`<p>${text}</p><p><a class="button" href="${target}">Back to ${merchant || 'the shop'}</a></p>
${buttons.length > 0 && safeHtml`<form method="post">${buttons}</form><p class="note">This is a sandbox: these buttons simulate later actions of the bank.</p>`}`,
    { businessName: merchant },
  );
}

const button = (action: string, label: string) =>
  safeHtml`<button name="action" value="${action}">${label}</button>`;
