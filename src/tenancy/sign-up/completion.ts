/** Creates the tenant of a sign-up. */
import type { AuditAction } from '../../core/audit/action.ts'
import { type AuditEntry, recordAudit } from '../../core/audit/audit.ts'
import { type Context, hostTenantId, type Tenant } from '../../core/context.ts'
import { asOperator } from '../../core/create-context.ts'
import { invalidField, ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { newId } from '../../core/id.ts'
import { installation } from '../../core/installation.ts'
import type { InstallationData } from '../../database/data.ts'
import type { AccountPages } from '../../identity/account-link.ts'
import { sendMail } from '../../mail/send.ts'
import { addTenant, findDuplicate } from '../tenant.ts'
import { expiringSignUps, type SignUpRow } from './sql.ts'

/**
 * Creates the tenant, its administrator, and a mail to the administrator, inside a transaction of the host tenant.
 * @throws ServiceError `invalid` for a subdomain that was taken meanwhile
 */
export async function completeSignUp(
  inside: Context,
  row: SignUpRow,
  { action, pages }: { action: 'signUp.completed' | 'signUp.approved'; pages: AccountPages },
): Promise<Tenant> {
  await expiringSignUps.remove(signUps(inside), [row.id])
  const { subdomain, tenant_name: tenantName, user_name: userName, email } = row
  const admin = {
    userName,
    email,
    firstName: row.first_name,
    lastName: row.last_name,
    passwordHash: row.password_hash,
    roles: ['Admin'],
    isEmailVerified: true,
  }
  const input = { id: subdomain ?? newId(), name: tenantName, subdomain }
  const tenant = await addTenant(asOperator(inside), input, { admin }).catch((error: unknown) => {
    throw isTakenId(error) ? takenSubdomain() : error
  })
  await publish(inside, 'signUp.completed', { signUpId: row.id, tenantId: tenant.id }, hostTenantId)
  await recordAudit(inside, signUpEntry(action, row, { tenantId: tenant.id }))
  await sendMail(inside, 'account.signUpCompleted', {
    to: email,
    values: { tenantName, tenantId: tenant.id, userName, url: pages.signInUrl(tenant) },
  })
  return tenant
}

/**
 * Refuses a subdomain that a tenant has, or whose id it is: the new tenant gets it as id.
 * @throws ServiceError `invalid`
 */
export async function refuseTaken(context: Context, subdomain: string | null): Promise<void> {
  if (subdomain === null) return
  if ((await findDuplicate(context, { id: subdomain, subdomain })) !== null) throw takenSubdomain()
}

/** An entry of the audit of the host tenant. */
export function signUpEntry(
  action: AuditAction,
  { id, email, subdomain, tenant_name: tenantName }: SignUpRow,
  detail: Record<string, unknown>,
): AuditEntry {
  const about = { email, subdomain, tenantName, ...detail }
  return { action, tenantId: hostTenantId, subjectType: 'signUp', subjectId: id, detail: about }
}

/** Whether the error refuses the id of the tenant, which the applicant has not chosen. */
function isTakenId(error: unknown): boolean {
  return error instanceof ServiceError && error.faults.some(({ pointer }) => pointer === '/id')
}

function takenSubdomain(): ServiceError {
  return invalidField('subdomain', 'is taken by another tenant', 'taken')
}

/** The table of sign-ups, which belong to no tenant. */
export function signUps(context: Context): InstallationData {
  return installation(context, 'a sign-up has no tenant yet')
}
