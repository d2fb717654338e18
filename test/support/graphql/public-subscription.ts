/** A subscription for everybody: without one, a WebSocket needs a token. */
import { product } from '../../../src/catalog/product/product.ts'

const onNews = {
  description: 'For everybody.',
  event: 'product.created',
  entity: product.model,
  access: 'public' as const,
  idOf: ({ productId }: { productId: string }) => productId,
}

export const newsFeature = { name: 'news', graphql: { subscriptions: { onNews } } }
