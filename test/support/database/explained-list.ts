/** A list as its route answers, and the plans of its statements. */
import type { Context } from '../../../src/core/context.ts'
import { JsonText, Reply, type Route } from '../../../src/core/feature/route.ts'
import { forTenant } from '../../../src/core/tenant/each-tenant.ts'
import { TenantData } from '../../../src/database/data.ts'
import type { Database } from '../../../src/database/executor.ts'
import { explaining, type Plan } from './plan.ts'

export interface ExplainedList {
  // biome-ignore lint/suspicious/noExplicitAny: rows of any table
  rows: any[]
  plans: Plan[]
}

/** @param database with the rows @param path parameters of the path */
export function explainList(
  operator: Context,
  { database, tenantId }: { database: Database; tenantId: string },
  { handle }: Route,
  query: object,
  path: Readonly<Record<string, string>> = {},
): Promise<ExplainedList> {
  const plans: Plan[] = []
  const data = new TenantData(tenantId, explaining(database.executor, plans))
  return forTenant(operator, tenantId, async (context) => {
    const watched = new Proxy(context, {
      get: (of, name) => (name === 'data' || name === 'catalogueRows' ? data : Reflect.get(of, name, of)),
    })
    const input = { query, path, strict: false } as unknown as Parameters<typeof handle>[1] // all that a list takes
    const reply = await handle(watched, input)
    if (!(reply instanceof Reply) || !(reply.body instanceof JsonText)) throw new Error('This is no list.')
    return { rows: JSON.parse([reply.body.content].flat().join('')), plans }
  })
}
