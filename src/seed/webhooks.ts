/** Seeds two webhook endpoints of the demo shop and a delivered event. Their secrets are encrypted like those of registered endpoints. */
import type { QueryHandle } from '../db/handles.ts';
import {
  encryptWebhookSecret,
  type WebhookSecretEncryptionKeys,
} from '../domains/webhooks/encrypt-webhook-secrets.ts';
import { createWebhookSecret } from '../domains/webhooks/url-signature-and-retry-rules.ts';
import { buildSeedId, demoShopIdsAndLogins, disposableRecordIds } from './shop-data.ts';

const { businessId } = demoShopIdsAndLogins;

/** The endpoints subscribe to a rare event, because their URLs do not respond. */
export async function seedWebhooks(
  { prisma }: QueryHandle,
  opened: number,
  keys: WebhookSecretEncryptionKeys,
): Promise<void> {
  const stamps = { createdAt: opened, updatedAt: opened };
  const endpoint = (id: string, description: string) => ({
    id,
    businessId,
    url: 'https://hooks.demo.example/duet',
    description,
    events: ['newsletter.sent'],
    secret: encryptWebhookSecret({ keys }, createWebhookSecret()),
    ...stamps,
  });
  await prisma.webhookEndpoint.createMany({
    data: [
      endpoint(disposableRecordIds.webhookId, 'Notifies the bar.'),
      {
        ...endpoint(disposableRecordIds.oldWebhookId, 'Notified the old bar.'),
        status: 'DISABLED',
        disabledReason: 'MANUAL',
      },
    ],
  });
  const eventId = buildSeedId(0xd, 2);
  await prisma.webhookEvent.create({
    data: {
      id: eventId,
      businessId,
      type: 'webhook.test',
      data: { endpointId: disposableRecordIds.webhookId },
      createdAt: opened,
    },
  });
  await prisma.webhookDelivery.create({
    data: {
      id: disposableRecordIds.deliveryId,
      businessId,
      eventId,
      endpointId: disposableRecordIds.webhookId,
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
