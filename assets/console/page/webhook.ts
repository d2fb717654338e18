/** Webhooks: the pages of one file that the browser loads when the first of them is shown. */
import DeliveriesPage from './webhook/deliveries.tsx'
import PortalSessionsPage from './webhook/portal-sessions.tsx'
import ProvidersPage from './webhook/providers.tsx'
import ReceiptsPage from './webhook/receipts.tsx'
import RulesPage from './webhook/rules.tsx'
import SubscriptionsPage from './webhook/subscriptions.tsx'

export const webhookPages = {
  DeliveriesPage,
  PortalSessionsPage,
  ProvidersPage,
  ReceiptsPage,
  RulesPage,
  SubscriptionsPage,
}
