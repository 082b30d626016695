/** The words that carts add to the lists of the gateway. */
export const webhookEvents = {
  'cart.abandoned': 'Nobody has come back to a cart with something in it for a day.',
};

export const liveTopics = ['cart'];
