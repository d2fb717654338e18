/** The addresses of all pages below the console, in a tenant and an installation that have something to see. */
import type { Filled } from './picture-scene.ts'

export type FilledInstallation = Filled & { movingId: string }

/** The pages of a tenant, by name. */
export function pagesOf({
  invoiceId,
  userId,
  subscriptionId,
  deliveryId,
  receiptId,
}: Filled): Record<string, string> {
  return {
    home: '',
    list: '/entities/product?sort=name',
    row: `/entities/invoice/${invoiceId}`,
    form: '/entities/product/new',
    import: '/entities/product/import',
    users: '/users',
    user: `/users/${userId}`,
    invitations: '/invitations',
    roles: '/roles',
    'api-keys': '/api-keys',
    settings: '/settings',
    'single-sign-on': '/single-sign-on',
    account: '/account',
    subscriptions: '/subscriptions',
    subscription: `/subscriptions/${subscriptionId}`,
    'subscription-form': `/subscriptions/${subscriptionId}/edit`,
    deliveries: '/deliveries',
    delivery: `/deliveries/${deliveryId}`,
    providers: '/providers',
    'portal-sessions': '/portal-sessions',
    'portal-session-form': '/portal-sessions/new',
    rules: '/rules',
    receipts: '/receipts',
    receipt: `/receipts/${receiptId}`,
    jobs: '/jobs',
    mails: '/mails',
    audit: '/audit',
    developers: '/developers',
    graphiql: '/developers/graphiql',
  }
}

/** Those of operators, by name. */
export function hostPagesOf({ tenantId, movingId }: FilledInstallation): Record<string, string> {
  return {
    tenants: '/tenants',
    tenant: `/tenants/${tenantId}`,
    'tenant-moving': `/tenants/${movingId}`,
    'sign-ups': '/sign-ups',
    health: '/health',
    'dead-letters': '/dead-letters',
    operations: '/operations',
    figures: '/figures',
    instances: '/instances',
  }
}
