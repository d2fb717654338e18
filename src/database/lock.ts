import type { TenantData } from './data.ts'

/** What is done one after the other within a tenant. The numbers only have to be the same in every instance. */
const lockNumbers = { subscriptionCount: 1 } as const

/**
 * Waits until no other transaction holds this lock for the tenant, and holds it until its own ends: for rules about
 * rows that are not there yet. On SQLite the writer is alone anyway.
 */
export async function lockForTenant(data: TenantData, name: keyof typeof lockNumbers): Promise<void> {
  const { executor, tenantId } = data
  if (executor.dialect === 'sqlite') return
  const statement = 'SELECT pg_advisory_xact_lock($1, hashtext($2))'
  await executor.run(statement, [lockNumbers[name], tenantId], true)
}
