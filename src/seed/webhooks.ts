/** Endpoints of the demo shop with something that was delivered, sealed as those that a business registers. */
import type { Queries } from '../db/sql.ts';
import { newSecret } from '../domains/webhooks/rules.ts';
import { type SealingKeys, storedSecret } from '../domains/webhooks/sealed.ts';
import { demo, seedId, spare } from './data.ts';

const { businessId } = demo;

/** They listen to what seldom happens: nobody answers at their addresses. */
export async function seedWebhooks({ prisma }: Queries, opened: number, keys: SealingKeys): Promise<void> {
  const stamps = { createdAt: opened, updatedAt: opened };
  const endpoint = (id: string, description: string) => ({
    id,
    businessId,
    url: 'https://hooks.demo.example/duet',
    description,
    events: ['newsletter.sent'],
    secret: storedSecret({ keys }, newSecret()),
    ...stamps,
  });
  await prisma.webhookEndpoint.createMany({
    data: [
      endpoint(spare.webhookId, 'Tells the bar.'),
      { ...endpoint(spare.oldWebhookId, 'Told the old bar.'), status: 'DISABLED', disabledReason: 'MANUAL' },
    ],
  });
  const eventId = seedId(0xd, 2);
  await prisma.webhookEvent.create({
    data: {
      id: eventId,
      businessId,
      type: 'webhook.test',
      data: { endpointId: spare.webhookId },
      createdAt: opened,
    },
  });
  await prisma.webhookDelivery.create({
    data: {
      id: spare.deliveryId,
      businessId,
      eventId,
      endpointId: spare.webhookId,
      status: 'DELIVERED',
      attempts: 1,
      nextAttemptAt: opened,
      lastAttemptAt: opened,
      lastStatusCode: 200,
      lastResponse: 'OK',
      lastDurationMs: 84,
      deliveredAt: opened,
      createdAt: opened,
    },
  });
}
