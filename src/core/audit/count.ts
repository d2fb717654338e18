/** Counts records of the audit, within the time allowance that callers have for reads without an index. */
import { Type } from 'typebox'
import type { TenantData } from '../../database/data.ts'
import type { Filter } from '../../database/read/filter.ts'
import { type ReadModel, readModel } from '../../database/read/read-model.ts'
import { countRows } from '../../database/read/slice.ts'
import type { TenantTables } from '../../database/tenant-tables.ts'
import type { Context } from '../context.ts'
import { CallerTime } from '../limits/caller-time.ts'
import { Nullable, Uuid } from '../schema/schema.ts'
import type { AuditFilter } from './sql.ts'

const filters = {
  action: Type.String(),
  actorId: Nullable(Uuid),
  subjectId: Nullable(Type.String()),
}

const inCatalogue = modelOf('audit')
const amongRows = modelOf('tenant_audit')

/**
 * Counts the matching records of one tenant.
 * @param catalogue the tenant's rows in the catalogue @param data the rows in its database; `null` to leave them out
 */
export async function countAudit(
  context: Context,
  { catalogue, data }: { catalogue: TenantData; data: TenantData | null },
  filter: AuditFilter,
): Promise<number> {
  const time = new CallerTime(context)
  const count = (from: TenantData, entity: ReadModel) =>
    countRows(
      from,
      { entity, filter: filterOf(entity, filter), order: [], after: null, before: null },
      { time, take: () => undefined },
    )
  return (await count(catalogue, inCatalogue)) + (data === null ? 0 : await count(data, amongRows))
}

function modelOf(table: string): ReadModel {
  const shape = Type.Object(filters, { $id: `Counted ${table}` })
  return readModel(shape, { table: table as keyof TenantTables }) // of the catalogue or of tenants
}

function filterOf({ fields }: ReadModel, { action, actorId, subjectId }: AuditFilter): Filter {
  const values = { action, actorId: actorId?.toLowerCase(), subjectId }
  const parts = Object.entries(values).flatMap(([name, value]): Filter[] => {
    const field = fields.get(name)
    return field === undefined || value === undefined
      ? []
      : [{ kind: 'compare', field, operator: 'eq', value }]
  })
  return { kind: 'and', parts }
}
