/** Something that everybody may follow: without it nobody has a WebSocket without a token. */
import { productEntity } from '../../../src/catalog/product/graphql.ts'

const onProductCreated = {
  description: 'For everybody.',
  event: 'product.created',
  entity: productEntity,
  access: 'public' as const,
  idOf: ({ productId }: { productId: string }) => productId,
}

export const newsFeature = { name: 'news', graphql: { subscriptions: { onProductCreated } } }
