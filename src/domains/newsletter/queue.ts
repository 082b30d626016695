/** The name of the queue that sends newsletters. */
export const sendQueue = 'newsletter-send';
