import type { TenantData } from './data.ts'
import { deferOrRun } from './prepared.ts'

/** What transactions of a tenant wait for each other about. The numbers only have to be the same in every instance. */
const lockNumbers = {
  /** Held alone by whoever adds to what the subscriptions want, and shared by whoever looks who wants an event. */
  subscriptions: 1,
  /** Held by whoever adds a rule for incoming webhooks, or a provider of them. */
  rules: 2,
  providers: 3,
  /** Held by whoever begins what another webhook of ours has led to. */
  chains: 4,
} as const

type LockName = keyof typeof lockNumbers

/**
 * Waits until no other transaction holds this lock for the tenant, and holds it until its own ends: for rules about
 * rows that are not there yet. On SQLite the writer is alone anyway.
 */
export async function lockForTenant(data: TenantData, name: LockName): Promise<void> {
  const { executor, tenantId } = data
  if (executor.dialect === 'sqlite') return
  const statement = 'SELECT pg_advisory_xact_lock($1, hashtext($2))'
  await executor.run(statement, [lockNumbers[name], tenantId], true)
}

/** Likewise, beside others who share it. It comes with the next statement, which sees what was committed before it. */
export async function shareLockForTenant(data: TenantData, name: LockName): Promise<void> {
  const { executor, tenantId } = data
  if (executor.dialect === 'sqlite') return
  const statement = 'SELECT pg_advisory_xact_lock_shared($1, hashtext($2))'
  await deferOrRun(executor, statement, [lockNumbers[name], tenantId], true)
}
