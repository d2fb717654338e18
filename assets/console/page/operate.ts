/** The tenant, and the service for its operators: the pages of one file that the browser loads when the first of them is shown. */
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
import { SettingsPage } from './tenant/settings.tsx'

export const operatePages = {
  AuditPage,
  DeadLettersPage,
  FiguresPage,
  HealthPage,
  InstancesPage,
  JobsPage,
  MailsPage,
  OperationsPage,
  RowAudit,
  SettingsPage,
  TenantsPage,
}
