/** `/admin` and `/admin/jobs`, for who holds the operator's token: JSON for programs, pages for people. Without a token set there is neither. */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import { AppError, notFoundError } from '../../errors.ts';
import { type HttpRequest, type HttpResponse, htmlResponse, jsonResponse } from '../../http-message.ts';
import { dropFailure, failureKinds, listFailures, retryFailure } from '../../maintenance/failed-work.ts';
import type { Endpoint } from '../endpoint.ts';
import type { OperatorTokenGuard } from '../operator-token.ts';
import type { Html } from '../pages/html.ts';
import { type HttpPage, pageHeaders, staticFile } from '../pages/http-page.ts';
import { renderFailures } from './failures-view.ts';
import { adminScript, adminStyle, renderAdminFrame } from './page-frame.ts';
import { readAdminStatus, type StatusSources } from './status.ts';
import { renderStatus } from './status-view.ts';

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
  expectToken: OperatorTokenGuard,
  { title, live, read, view }: Shown<Data>,
): Promise<HttpResponse> {
  const authorization = request.header('authorization');
  if (wantsHtml(request) && authorization === undefined)
    return htmlResponse(200, renderAdminFrame(title, { live }), { ...pageHeaders(), ...noStore });
  await expectToken(request, forOperators);
  const data = await read();
  return wantsHtml(request)
    ? htmlResponse(200, view(data).text, { ...pageHeaders(), ...noStore })
    : jsonResponse(200, data, noStore);
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
  if (!done) throw notFoundError('Failure');
  services.log.info({ action, kind, id }, 'operator');
  return jsonResponse(200, { action, kind, id }, noStore);
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
  expectToken: OperatorTokenGuard,
  watching: StatusSources,
): Endpoint[] => [
  {
    path: '/admin',
    methods: ['GET'],
    handle: (request) =>
      shown(request, expectToken, {
        title: 'Status',
        live: true,
        read: () => readAdminStatus(watching),
        view: renderStatus,
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
          view: ({ items }) => renderFailures(items),
        });
      await expectToken(request, forOperators);
      return act(services, request);
    },
  },
];

export const adminFiles: readonly [string, HttpPage][] = [adminScript, adminStyle].map(
  ({ path, type, text }) => [path, staticFile(type, () => text, { immutable: true })],
);
