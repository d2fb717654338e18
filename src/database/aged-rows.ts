/** Rows that are removed by their age, in the order of their ids: how a job reads them, tenant by tenant. */
import { QueueData, TenantData } from './data.ts'
import type { Executor } from './executor.ts'
import { prepare, prepareForAll } from './prepared.ts'
import type { QueueTables } from './tenant-tables.ts'

/** The position at which a batch of old rows begins, and its size. */
export interface BatchStart {
  after: string
  /** Older rows have smaller ids. */
  beforeId: string
  rows: number
}

export interface AgedRows {
  /** @returns the id of the next tenant that has rows, `null` after the last */
  tenantAfter(executor: Executor, after: string): Promise<string | null>
  /** @returns the ids of the next rows of a tenant */
  idsAfter(executor: Executor, tenantId: string, start: BatchStart): Promise<string[]>
}

/**
 * Both statements read the primary key of the table, which is the tenant and the id. That of `attempt` is not: attempts
 * are removed with their deliveries.
 */
export function agedRows(table: Exclude<keyof QueueTables, 'attempt'>): AgedRows {
  const name = table as 'event' // typed as one table, because there is no type for any
  const tenant = prepareForAll((tables, p: { after: string }) =>
    tables
      .selectFrom(name)
      .select(({ fn }) => fn.min('tenant_id').as('tenantId'))
      .where('tenant_id', '>', p.after),
  )
  const next = prepare((tables, p: BatchStart) =>
    tables
      .selectFrom(name)
      .select('id')
      .where('id', '>', p.after)
      .where('id', '<', p.beforeId)
      .orderBy('id')
      .limit(p.rows),
  )
  return {
    tenantAfter: async (executor, after) => {
      const [row] = await new QueueData(executor).all(tenant, { after })
      return row?.tenantId ?? null
    },
    idsAfter: async (executor, tenantId, start) =>
      (await new TenantData(tenantId, executor).all(next, start)).map(({ id }) => id),
  }
}
