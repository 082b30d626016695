/** The name of the queue that sends webhooks. */
export const deliverQueue = 'webhooks-deliver';
