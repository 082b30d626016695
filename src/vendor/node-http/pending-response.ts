/** Internals of node:http: the response that a socket is sending. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Response in progress on the socket; undefined between two requests. */
export const pendingResponseOf = (socket: Socket): Pick<ServerResponse, 'headersSent'> | undefined =>
  (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
