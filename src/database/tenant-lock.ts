import type { TenantData } from './data.ts'
import { deferOrRun } from './prepared.ts'

/** The locks of a tenant. The numbers have to be equal in all instances. */
const lockNumbers = {
  /** Exclusive for changes that add events to subscriptions, shared for look-ups of an event's subscriptions. */
  subscriptions: 1,
  /** Exclusive for changes that add a rule for incoming webhooks, or a provider. */
  rules: 2,
  providers: 3,
  /** Exclusive for the start of a chained webhook. */
  chains: 4,
} as const

type LockName = keyof typeof lockNumbers

/**
 * Locks the tenant until the transaction ends: for rules about rows that do not exist yet. SQLite has one writer and needs
 * no lock.
 */
export async function lockForTenant(data: TenantData, name: LockName): Promise<void> {
  const { executor, tenantId } = data
  if (executor.dialect === 'sqlite') return
  const statement = 'SELECT pg_advisory_xact_lock($1, hashtext($2))'
  await executor.run(statement, [lockNumbers[name], tenantId], true)
}

/** Shares the lock. It is sent with the next statement, which sees everything committed before the lock was granted. */
export async function shareLockForTenant(data: TenantData, name: LockName): Promise<void> {
  const { executor, tenantId } = data
  if (executor.dialect === 'sqlite') return
  const statement = 'SELECT pg_advisory_xact_lock_shared($1, hashtext($2))'
  await deferOrRun(executor, statement, [lockNumbers[name], tenantId], true)
}
