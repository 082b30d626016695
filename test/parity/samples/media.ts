/** Samples of media: uploads that are started but not completed, because files are sent over plain HTTP only. */
import { disposableRecordIds } from '../../../src/seed/shop-data.ts';
import type { Samples, World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const file = (world: World) => ({ path: { ...inShop(world), id: world.ids.media ?? '' } });
const declaredFile = { fileName: 'cup.jpg', contentType: 'image/jpeg', size: 48_213, alt: 'A cup' };

export const domain: Samples = {
  async prepare(t, world) {
    const path = `/v1/businesses/${world.shop.businessId}/media`;
    const { body } = await t.rest<{ mediaId: string }>('POST', path, {
      as: world.shop.admin,
      body: declaredFile,
    });
    world.ids.media = body.mediaId;
  },
  samples: {
    CreateUpload: (world) => ({ path: inShop(world), body: declaredFile }),
    ListMediaFiles: (world) => ({ path: inShop(world), query: { limit: 2, state: 'UPLOADING' } }),
    GetMediaFile: file,
    UpdateMediaFile: (world) => ({ ...file(world), body: { alt: 'Two cups' } }),
    DeleteMediaFile: file,
  },
  demo: {
    ids: { media: disposableRecordIds.mediaId },
    samples: {
      DeleteMediaFile: (world) => ({ path: { ...inShop(world), id: disposableRecordIds.oldMediaId } }),
    },
  },
};
