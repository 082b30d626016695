/** Types of HTTP routes and their results. */
import type { RequestInProgress } from '../context.ts';
import type { HttpRequest, HttpResponse } from '../http-message.ts';

export interface HttpRouteResult {
  response: HttpResponse;
  /** For the log: the REST route or the GraphQL operation. Defaults to the path of the route. */
  route?: string | undefined;
  /** Metric label, when it differs from `route`: clients choose operation names freely, which would make the label unbounded. */
  operation?: string | undefined;
  /** Error code, if the response is an error. */
  code?: string | undefined;
  /** Set for a response that is sent while its operation is executed: resolves at the end of the execution. */
  executed?: Promise<void> | undefined;
}

export interface HttpRoute {
  /** Exact path; with a trailing slash, every path below it. */
  readonly path: string;
  /** Pattern of the whole path. */
  readonly pattern?: RegExp;
  /** Default: all methods. */
  readonly methods?: readonly string[];
  /** Undefined: the router tries the next route that matches the path. */
  handle(
    request: HttpRequest,
    call: RequestInProgress,
  ): HttpRouteResult | undefined | Promise<HttpRouteResult | undefined>;
}
