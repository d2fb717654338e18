/** Writes the table of audited actions in `docs/api/audit.md` from the actions themselves. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditCatalogue } from '../../src/core/audit/action.ts'
import { fileAudit } from '../../src/files/feature.ts'
import { apiKeyAudit } from '../../src/identity/api-key/event.ts'
import { emailAddressAudit } from '../../src/identity/email-address/feature.ts'
import { impersonationAudit } from '../../src/identity/impersonation/feature.ts'
import { invitationAudit } from '../../src/identity/invitation/event.ts'
import { keyAudit } from '../../src/identity/key/feature.ts'
import { oneTimeTokenAudit } from '../../src/identity/one-time-token/feature.ts'
import { passkeyAudit } from '../../src/identity/passkey/feature.ts'
import { recoveryAudit } from '../../src/identity/recovery/feature.ts'
import { roleAudit } from '../../src/identity/role/event.ts'
import { secondFactorAudit } from '../../src/identity/second-factor/event.ts'
import { sessionAudit } from '../../src/identity/session/event.ts'
import { singleSignOnAudit } from '../../src/identity/single-sign-on/event.ts'
import { userAudit } from '../../src/identity/user/feature.ts'
import { jobAudit } from '../../src/jobs/feature.ts'
import { mailAudit } from '../../src/mail/event.ts'
import { operationAudit } from '../../src/operations/feature.ts'
import { tenantAudit } from '../../src/tenancy/feature.ts'
import { tenantSettingAudit } from '../../src/tenancy/settings/feature.ts'
import { signUpAudit } from '../../src/tenancy/sign-up/event.ts'
import { incomingAudit } from '../../src/webhooks/incoming/feature.ts'
import { portalAudit } from '../../src/webhooks/portal/feature.ts'
import { subscriptionAudit } from '../../src/webhooks/subscriptions/feature.ts'
import { readProjectFile, root } from '../support/source.ts'

export const path = 'docs/api/audit.md'

/** Every action of the built-in features. */
export const auditActions: AuditCatalogue = {
  ...sessionAudit,
  ...userAudit,
  ...tenantAudit,
  ...tenantSettingAudit,
  ...operationAudit,
  ...keyAudit,
  ...oneTimeTokenAudit,
  ...subscriptionAudit,
  ...portalAudit,
  ...incomingAudit,
  ...fileAudit,
  ...jobAudit,
  ...mailAudit,
  ...roleAudit,
  ...apiKeyAudit,
  ...singleSignOnAudit,
  ...recoveryAudit,
  ...invitationAudit,
  ...emailAddressAudit,
  ...signUpAudit,
  ...secondFactorAudit,
  ...passkeyAudit,
  ...impersonationAudit,
}

const begin = '<!-- audited actions -->'
const end = '<!-- /audited actions -->'

/** @returns the page with its table renewed, @throws Error when it has no place for one */
export function withAuditTable(page: string): string {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The page has no ${begin} followed by ${end}.`)
  const rows = Object.entries(auditActions).map(([action, when]) => `| \`${action}\` | ${when} |\n`)
  const table = `| Action | When |\n|---|---|\n${rows.join('')}`
  return `${page.slice(0, from + begin.length)}\n${table}${page.slice(to)}`
}

if (import.meta.main) writeFileSync(join(root, path), withAuditTable(readProjectFile(path) ?? ''))
