/** Posts to addresses that customers of the gateway chose: they may be slow, broken or hostile. */

export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface WebhookResponse {
  status: number;
  /** The header as it came. */
  retryAfter: string | undefined;
  /** The beginning of the body. */
  excerpt: string;
}

export interface WebhookSender {
  /** Resolves with whatever the receiver answers, redirects too. Rejects when there is no answer; the message says why. */
  post(request: WebhookRequest): Promise<WebhookResponse>;
}
