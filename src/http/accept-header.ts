/** Content types that a request accepts. Media types are case-insensitive. */
import type { HttpRequest } from '../http-message.ts';

const acceptHeader = (request: HttpRequest) => request.header('accept') ?? '';

export const acceptsHtml = (request: HttpRequest): boolean => /\btext\/html\b/i.test(acceptHeader(request));

export const acceptsOnlyJson = (request: HttpRequest): boolean =>
  /\bapplication\/json\b/i.test(acceptHeader(request)) && !acceptsHtml(request);
