import type { Selectable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import { expiringRows } from '../../database/expiring-rows.ts'
import { pick, prepareForInstallation } from '../../database/prepared.ts'
import type { SignUpTable } from './table.ts'

export type SignUpRow = Selectable<SignUpTable>

const columns = [
  'id',
  'subdomain',
  'tenant_name',
  'user_name',
  'email',
  'password_hash',
  'first_name',
  'last_name',
  'created_at',
  'verified_at',
  'expires_at',
] as const

const added = prepareForInstallation((tables, p: SignUpRow) =>
  tables.insertInto('sign_up').values(pick(p, columns)),
)

export async function insertSignUp(installation: InstallationData, row: SignUpRow): Promise<void> {
  await installation.change(added, row)
}

const byId = prepareForInstallation((tables, p: { id: string }) =>
  tables.selectFrom('sign_up').selectAll().where('id', '=', p.id),
)

export function findSignUp(installation: InstallationData, id: string): Promise<SignUpRow | null> {
  return installation.first(byId, { id })
}

type Verification = Pick<SignUpRow, 'verified_at' | 'expires_at'>

const verified = prepareForInstallation((tables, p: Verification & { id: string }) =>
  tables
    .updateTable('sign_up')
    .set({ verified_at: p.verified_at, expires_at: p.expires_at })
    .where('id', '=', p.id),
)

export async function updateSignUp(
  installation: InstallationData,
  id: string,
  change: Verification,
): Promise<void> {
  await installation.change(verified, { ...change, id })
}

const taken = prepareForInstallation((tables, p: { id: string; moment: string }) =>
  tables
    .deleteFrom('sign_up')
    .where('id', '=', p.id)
    .where('verified_at', 'is not', null)
    .where('expires_at', '>', p.moment)
    .returningAll(),
)

/** Deletes a sign-up that waits for approval. @returns the row, to exactly one of several simultaneous callers */
export function takeWaitingSignUp(
  installation: InstallationData,
  id: string,
  moment: string,
): Promise<SignUpRow | null> {
  return installation.first(taken, { id, moment })
}

export const expiringSignUps = expiringRows('sign_up')
