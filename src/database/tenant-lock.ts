import type { TenantData } from './data.ts'
import type { Executor } from './executor.ts'

/**
 * PostgreSQL's advisory locks on a tenant: the first of the two keys, the second being a hash of the id. The keys have
 * to be equal in all instances.
 */
export const tenantLocks = {
  /** Exclusive for changes that add events to subscriptions, shared for look-ups of an event's subscriptions. */
  subscriptions: 1,
  /**
   * During a move to another database: shared by writers, exclusive for the switch to the new database. A trigger,
   * which an applied migration has created, contains this number.
   */
  writes: 2,
  /** Exclusive for an operation on the tenant as a whole, such as a move. */
  operation: 3,
  /** Exclusive for changes that add a rule for incoming webhooks, or a provider. */
  rules: 4,
  providers: 5,
  /** Exclusive for the start of a chained webhook. */
  chains: 6,
  /**
   * Exclusive for a change that counts mails to a mailbox before it adds one. The second key is a hash of the
   * mailbox.
   */
  mails: 7,
} as const

type LockName = 'subscriptions' | 'rules' | 'providers' | 'chains'

/**
 * Locks the tenant until the transaction ends, for rules about rows that do not exist yet and cannot be locked. SQLite
 * has one writer and needs no lock.
 */
export async function lockForTenant(data: TenantData, name: LockName): Promise<void> {
  const { executor, tenantId } = data
  if (executor.dialect === 'sqlite') return
  const statement = 'SELECT pg_advisory_xact_lock($1, hashtext($2))'
  await executor.run(statement, [tenantLocks[name], tenantId], true)
}

/** Locks a mailbox like `lockForTenant`, for the mails of all tenants to it. */
export async function lockForMailbox(executor: Executor, mailboxKey: string): Promise<void> {
  if (executor.dialect === 'sqlite') return
  await executor.run('SELECT pg_advisory_xact_lock($1, hashtext($2))', [tenantLocks.mails, mailboxKey], true)
}

/** Shares the lock. It is sent with the next statement, which sees everything committed before the lock was granted. */
export function shareLockForTenant({ executor, tenantId }: TenantData, name: LockName): void {
  if (executor.dialect === 'sqlite') return
  if (executor.defer === undefined) throw new Error('A tenant was locked outside a transaction.')
  executor.defer('SELECT pg_advisory_xact_lock_shared($1, hashtext($2))', [tenantLocks[name], tenantId], true)
}
