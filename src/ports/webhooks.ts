/** Port for webhook requests to URLs chosen by businesses, which may be slow, broken or hostile. */

interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface WebhookResponse {
  status: number;
  /** Raw `Retry-After` header. */
  retryAfter: string | undefined;
  /** First part of the body. */
  excerpt: string;
}

export interface WebhookSender {
  /** Resolves with any response, including redirects. Rejects with the reason if there is no response. */
  post(request: WebhookRequest): Promise<WebhookResponse>;
}
