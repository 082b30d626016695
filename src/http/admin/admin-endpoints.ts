/** `/admin` and `/admin/jobs`, protected by ADMIN_TOKEN: JSON for programs, HTML for browsers. Neither exists without that variable. */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import { AppError, notFoundError } from '../../errors.ts';
import {
  acceptsHtml,
  type HttpRequest,
  type HttpResponse,
  htmlResponse,
  jsonResponse,
} from '../../http-message.ts';
import {
  dropFailedWork,
  type FailedWorkItem,
  failedWorkKinds,
  listFailedWork,
  retryFailedWork,
} from '../../maintenance/failed-work.ts';
import type { Endpoint } from '../endpoint-route.ts';
import type { OperatorTokenGuard } from '../operator-token.ts';
import type { Html } from '../pages/html-template-and-page-frame.ts';
import { createPageSecurityHeaders, createStaticFilePage, type HttpPageHandler } from '../pages/http-page.ts';
import { collectAdminStatus, type StatusSources } from './collect-admin-status.ts';
import { adminPageScript, adminPageStyle, renderAdminFrame } from './page-frame.ts';
import { renderFailedWork } from './render-failed-work-page.ts';
import { renderAdminStatus } from './render-status-page.ts';

const maxFailuresListed = 100;
const maxBytes = 4096;
const noStore = { 'cache-control': 'no-store', vary: 'accept, authorization' };

interface AdminView<Data> {
  title: string;
  live: boolean;
  read(): Promise<Data>;
  render(data: Data): Html;
  toJson(data: Data): unknown;
}

/** A browser without the token gets the page frame, which contains the token form and no data. */
async function respond<Data>(
  request: HttpRequest,
  assertToken: OperatorTokenGuard,
  { title, live, read, render, toJson }: AdminView<Data>,
): Promise<HttpResponse> {
  const authorization = request.header('authorization');
  if (acceptsHtml(request) && authorization === undefined)
    return htmlResponse(200, renderAdminFrame(title, { live }), {
      ...createPageSecurityHeaders(),
      ...noStore,
    });
  await assertToken(request, tokenMessage);
  const data = await read();
  return acceptsHtml(request)
    ? htmlResponse(200, render(data).text, { ...createPageSecurityHeaders(), ...noStore })
    : jsonResponse(200, toJson(data), noStore);
}

const failureJson = ({ kind, id, at, subject, reason }: FailedWorkItem) => ({
  kind,
  id,
  at,
  what: subject,
  reason,
});

const tokenMessage = 'Send the operator token (ADMIN_TOKEN) as Authorization: Bearer.';

const actionSchema = z.strictObject({
  action: z.enum(['retry', 'drop']),
  kind: z.enum(failedWorkKinds),
  id: z.string().min(1).max(300),
});

async function applyAction(services: Services, request: HttpRequest): Promise<HttpResponse> {
  const body = await request.body(maxBytes);
  const parsed = actionSchema.safeParse(parseJson(body.toString()));
  if (!parsed.success)
    throw new AppError('BAD_REQUEST', 'Send {"action": "retry" or "drop", "kind": "…", "id": "…"} as JSON.');
  const { action, kind, id } = parsed.data;
  const isFound = await (action === 'retry' ? retryFailedWork : dropFailedWork)(services, kind, id);
  if (!isFound) throw notFoundError('Failure');
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

export const createAdminEndpoints = (
  services: Services,
  assertToken: OperatorTokenGuard,
  sources: StatusSources,
): Endpoint[] => [
  {
    path: '/admin',
    methods: ['GET'],
    handle: (request) =>
      respond(request, assertToken, {
        title: 'Status',
        live: true,
        read: () => collectAdminStatus(sources),
        render: renderAdminStatus,
        toJson: (status) => status,
      }),
  },
  {
    path: '/admin/jobs',
    methods: ['GET', 'POST'],
    async handle(request) {
      if (request.method !== 'POST')
        return respond(request, assertToken, {
          title: 'Failed permanently',
          live: false,
          read: () => listFailedWork(services.db, maxFailuresListed),
          render: renderFailedWork,
          toJson: (failures) => ({ items: failures.map(failureJson) }),
        });
      await assertToken(request, tokenMessage);
      return applyAction(services, request);
    },
  },
];

export const adminStaticFiles: readonly [string, HttpPageHandler][] = [adminPageScript, adminPageStyle].map(
  ({ path, type, text }) => [path, createStaticFilePage(type, () => text, { immutable: true })],
);
