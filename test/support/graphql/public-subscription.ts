/** A subscription for everybody: without one, a WebSocket needs a token. */
import { productEntity } from '../../../src/catalog/product/graphql.ts'

const onProductCreated = {
  description: 'For everybody.',
  event: 'product.created',
  entity: productEntity,
  access: 'public' as const,
  idOf: ({ productId }: { productId: string }) => productId,
}

export const newsFeature = { name: 'news', graphql: { subscriptions: { onProductCreated } } }
