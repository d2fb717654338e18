/** All pages but the start and those of rows: one file, which the browser loads when the first of them is shown. */
import { Embedded } from '../embed.tsx'
import { AccountPage } from './account/account.tsx'
import DevelopersPage from './developers.tsx'
import { AuditPage } from './operation/audit.tsx'
import { JobsPage } from './operation/jobs.tsx'
import { MailsPage } from './operation/mails.tsx'
import { RowAudit } from './operation/row-audit.tsx'
import { TenantsPage } from './operation/tenants.tsx'
import { DeadLettersPage } from './operator/dead-letters.tsx'
import { FiguresPage } from './operator/figures-page.tsx'
import { HealthPage } from './operator/health.tsx'
import { InstancesPage } from './operator/instances.tsx'
import { OperationsPage } from './operator/operations.tsx'
import { ApiKeysPage } from './people/api-keys.tsx'
import { InvitationsPage } from './people/invitations.tsx'
import { RolesPage } from './people/roles.tsx'
import { UsersPage } from './people/users.tsx'
import { SignUpsPage } from './sign-up/sign-ups.tsx'
import { SingleSignOnPage } from './sso/single-sign-on.tsx'
import { SettingsPage } from './tenant/settings.tsx'
import DeliveriesPage from './webhook/deliveries.tsx'
import PortalSessionsPage from './webhook/portal-sessions.tsx'
import ProvidersPage from './webhook/providers.tsx'
import ReceiptsPage from './webhook/receipts.tsx'
import RulesPage from './webhook/rules.tsx'
import SubscriptionsPage from './webhook/subscriptions.tsx'

export const settingsPages = {
  AccountPage,
  ApiKeysPage,
  AuditPage,
  DeadLettersPage,
  DeliveriesPage,
  DevelopersPage,
  Embedded,
  FiguresPage,
  HealthPage,
  InstancesPage,
  InvitationsPage,
  JobsPage,
  MailsPage,
  OperationsPage,
  PortalSessionsPage,
  ProvidersPage,
  ReceiptsPage,
  RolesPage,
  RowAudit,
  RulesPage,
  SettingsPage,
  SignUpsPage,
  SingleSignOnPage,
  SubscriptionsPage,
  TenantsPage,
  UsersPage,
}
