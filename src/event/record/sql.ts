/** A new event. One that nobody wants is dispatched as soon as it is written: nothing has to be done for it. */
import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { defer, type TenantData } from '../../database/data.ts'
import type { Dialect } from '../../database/executor.ts'
import { containsOneOf } from '../../database/json-rows.ts'
import { shareLockForTenant } from '../../database/lock.ts'
import { prepare } from '../../database/prepared.ts'
import type { TenantTables } from '../../database/tables.ts'
import { isAtHome } from '../../database/tenant-place.ts'

interface NewEvent {
  tenantId: string
  id: string
  type: string
  data: string
  created_at: string
  hops: number
  /** JSON list of the entries by which a subscription wants it, as its column has them. */
  entries: string
}

/** Longer lists of a subscription are left to the dispatcher: others may wait for this transaction. */
const mostSearchedBytes = 300

const insertBesideCatalogue = insertion((row) => sql<SqlBool>`not ${isAtHome(row.tenantId)}`)
const insertInOwnDatabase = insertion(() => sql<SqlBool>`false`)

/**
 * With the next statement, or the commit.
 * @param waits called before the commit when somebody may want the event
 */
export async function insertEvent(
  data: TenantData,
  event: NewEvent,
  { isInCatalogue, waits }: { isInCatalogue: boolean; waits: () => void },
): Promise<void> {
  // Whoever subscribes meanwhile waits for our commit, or we see them.
  await shareLockForTenant(data, 'subscriptions')
  await defer(data, isInCatalogue ? insertBesideCatalogue : insertInOwnDatabase, event, ([inserted]) => {
    if (inserted?.dispatched_at === null) waits()
  })
}

/** @param isElsewhere whether subscriptions of the tenant may be in another database */
function insertion(isElsewhere: (row: NewEvent) => ReturnType<typeof sql<SqlBool>>) {
  return prepare((tables: Kysely<TenantTables>, row: NewEvent, dialect) =>
    tables
      .insertInto('event')
      .values((eb) => ({
        id: row.id,
        type: row.type,
        data: row.data,
        created_at: row.created_at,
        hops: row.hops,
        dispatched_at: sql<string | null>`case when ${eb.or([isWanted(eb, row, dialect), isElsewhere(row)])}
          then null else ${moment(row.created_at, dialect)} end`,
      }))
      .returning('dispatched_at'),
  )
}

function isWanted(
  { exists, selectFrom }: ExpressionBuilder<TenantTables, 'event'>,
  row: NewEvent,
  dialect: Dialect,
) {
  return exists(
    selectFrom('subscription')
      .select('subscription.id')
      .where(({ or }) =>
        or([
          sql<SqlBool>`octet_length(subscription.events) > ${sql.lit(mostSearchedBytes)}`,
          containsOneOf(dialect, 'subscription.events', row.entries),
        ]),
      ),
  )
}

function moment(value: string, dialect: Dialect) {
  return dialect === 'postgres' ? sql<string>`cast(${value} as timestamptz)` : sql<string>`${value}`
}
