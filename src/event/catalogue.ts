/** Every event of the built-in features, and the payload that tells of it. Names are `noun.pastVerb`. */
export interface EventPayloads {
  'product.created': { productId: string; name: string; price: number }
  'product.updated': { productId: string; name: string; price: number; isActive: boolean }
  'product.deleted': { productId: string }
  'category.created': { categoryId: string; name: string }
  'category.updated': { categoryId: string; name: string }
  'category.deleted': { categoryId: string }
  'user.created': { userId: string; userName: string }
  'user.updated': { userId: string; userName: string }
  'user.deleted': { userId: string }
  'tenant.created': { tenantId: string; name: string }
  'tenant.updated': { tenantId: string; name: string }
  'tenant.deactivated': { tenantId: string }
  'tenant.reactivated': { tenantId: string }
}
