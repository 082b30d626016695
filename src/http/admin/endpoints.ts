/** `/admin` and `/admin/jobs`, for who holds the operator's token: JSON for programs, pages for people. Without a token set there is neither. */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { dropFailure, failureKinds, listFailures, retryFailure } from '../../failures.ts';
import { type HttpRequest, type HttpResponse, html, json } from '../../message.ts';
import type { TokenCheck } from '../bearer.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Html } from '../pages/html.ts';
import { fixedFile, type Page, pageHeaders } from '../pages/page.ts';
import { failuresView } from './failures-view.ts';
import { adminFrame, adminScript, adminStyle } from './frame.ts';
import { readStatus, type Watching } from './status.ts';
import { statusView } from './view.ts';

const failuresShown = 100;
const maxBytes = 4096;
const noStore = { 'cache-control': 'no-store', vary: 'accept, authorization' };

const wantsHtml = (request: HttpRequest) => /\btext\/html\b/.test(request.header('accept') ?? '');

interface Shown<Data> {
  title: string;
  live: boolean;
  read(): Promise<Data>;
  view(data: Data): Html;
}

/** A browser that comes without the token gets the frame, which asks for it; nothing in there is a secret. */
async function shown<Data>(
  request: HttpRequest,
  expectToken: TokenCheck,
  { title, live, read, view }: Shown<Data>,
): Promise<HttpResponse> {
  const authorization = request.header('authorization');
  if (wantsHtml(request) && authorization === undefined)
    return html(200, adminFrame(title, { live }), { ...pageHeaders(), ...noStore });
  await expectToken(request, forOperators);
  const data = await read();
  return wantsHtml(request)
    ? html(200, view(data).text, { ...pageHeaders(), ...noStore })
    : json(200, data, noStore);
}

const forOperators = "This is for who holds the operator's token.";

const order = z.strictObject({
  action: z.enum(['retry', 'drop']),
  kind: z.enum(failureKinds),
  id: z.string().min(1).max(300),
});

async function act(services: Services, request: HttpRequest): Promise<HttpResponse> {
  const body = await request.body(maxBytes);
  const parsed = order.safeParse(parseJson(body.toString()));
  if (!parsed.success)
    throw new AppError('BAD_REQUEST', 'Send {"action": "retry" or "drop", "kind": "…", "id": "…"} as JSON.');
  const { action, kind, id } = parsed.data;
  const done = await (action === 'retry' ? retryFailure : dropFailure)(services, kind, id);
  if (!done) throw notFound('Failure');
  services.log.info({ action, kind, id }, 'operator');
  return json(200, { action, kind, id }, noStore);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const adminEndpoints = (
  services: Services,
  expectToken: TokenCheck,
  watching: Watching,
): Endpoint[] => [
  {
    path: '/admin',
    methods: ['GET'],
    handle: (request) =>
      shown(request, expectToken, {
        title: 'Status',
        live: true,
        read: () => readStatus(watching),
        view: statusView,
      }),
  },
  {
    path: '/admin/jobs',
    methods: ['GET', 'POST'],
    async handle(request) {
      if (request.method !== 'POST')
        return shown(request, expectToken, {
          title: 'Failed for good',
          live: false,
          read: async () => ({ items: await listFailures(services.db, failuresShown) }),
          view: ({ items }) => failuresView(items),
        });
      await expectToken(request, forOperators);
      return act(services, request);
    },
  },
];

export const adminFiles: readonly [string, Page][] = [adminScript, adminStyle].map(({ path, type, text }) => [
  path,
  fixedFile(type, () => text, { immutable: true }),
]);
