/** All pages except the sign-in and the start page. They load as one file, which compresses better than several. */
import { Embedded } from './embed.tsx'
import { RowDetail } from './entity/detail.tsx'
import { ImportPage } from './entity/import/import.tsx'
import { EntityList } from './entity/list.tsx'
import { NewRow } from './entity/new-row.tsx'
import { FramePage, Panels } from './frame/application-frame.tsx'
import { AccountPage } from './page/account/account.tsx'
import DevelopersPage from './page/developers.tsx'
import { AuditPage } from './page/operation/audit.tsx'
import { JobsPage } from './page/operation/jobs.tsx'
import { MailsPage } from './page/operation/mails.tsx'
import { TenantSearch } from './page/operation/tenant-search.tsx'
import { TenantsPage } from './page/operation/tenants.tsx'
import { DeadLettersPage } from './page/operator/dead-letters.tsx'
import { FiguresPage } from './page/operator/figures-page.tsx'
import { HealthPage } from './page/operator/health.tsx'
import { InstancesPage } from './page/operator/instances.tsx'
import { OperationsPage } from './page/operator/operations.tsx'
import { ApiKeysPage } from './page/people/api-keys.tsx'
import { InvitationsPage } from './page/people/invitations.tsx'
import { RolesPage } from './page/people/roles.tsx'
import { UsersPage } from './page/people/users.tsx'
import { SignUpsPage } from './page/sign-up/sign-ups.tsx'
import { SingleSignOnPage } from './page/sso/single-sign-on.tsx'
import { SettingsPage } from './page/tenant/settings.tsx'
import DeliveriesPage from './page/webhook/deliveries.tsx'
import PortalSessionsPage from './page/webhook/portal-sessions.tsx'
import ProvidersPage from './page/webhook/providers.tsx'
import ReceiptsPage from './page/webhook/receipts.tsx'
import RulesPage from './page/webhook/rules.tsx'
import SubscriptionsPage from './page/webhook/subscriptions.tsx'

export const laterPages = {
  AccountPage,
  ApiKeysPage,
  AuditPage,
  DeadLettersPage,
  DeliveriesPage,
  DevelopersPage,
  Embedded,
  EntityList,
  FiguresPage,
  FramePage,
  HealthPage,
  ImportPage,
  InstancesPage,
  InvitationsPage,
  JobsPage,
  MailsPage,
  NewRow,
  OperationsPage,
  Panels,
  PortalSessionsPage,
  ProvidersPage,
  ReceiptsPage,
  RolesPage,
  RowDetail,
  RulesPage,
  SettingsPage,
  SignUpsPage,
  SingleSignOnPage,
  SubscriptionsPage,
  TenantSearch,
  TenantsPage,
  UsersPage,
}
