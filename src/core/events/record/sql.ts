/**
 * The statement that stores an event. It looks for subscriptions at once: an event that none can match is stored as
 * dispatched, so that it causes no further work.
 */

import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { defer, type TenantData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { prepare } from '../../../database/prepared.ts'
import { isServedHere } from '../../../database/relocation.ts'
import { timestamp } from '../../../database/sql-text.ts'
import { noted } from '../../../database/sqlite/note.ts'
import { shareLockForTenant } from '../../../database/tenant-lock.ts'
import type { TenantTables } from '../../../database/tenant-tables.ts'

interface NewEvent {
  tenantId: string
  id: string
  type: string
  data: string
  created_at: string
  hops: number
  origin: string | null
  /** An `EventState` as JSON; `null` for an event that is not about a row. */
  state: string | null
  /** Texts to search for in the `events` of subscriptions, as `subscriptionSearchTexts` makes them. */
  named: string
  below: string
}

/**
 * Longer lists count as matching: comparing them here would hold up transactions, and the dispatcher caches them
 * parsed.
 */
const maxSearchedBytes = 300

const inCatalogue = insertion((event) => sql<SqlBool>`not ${isServedHere(event.tenantId)}`)
const inOwnDatabase = insertion(() => sql<SqlBool>`false`)

/**
 * Stores the event with the next statement of the transaction, or with the commit.
 * @param onPending called before the commit if a subscription may match
 */
export function insertEvent(
  data: TenantData,
  event: NewEvent,
  { isInCatalogue, onPending }: { isInCatalogue: boolean; onPending: () => void },
): Promise<void> {
  // A new subscription is either visible to the insert or waits until this transaction has ended.
  shareLockForTenant(data, 'subscriptions')
  return defer(data, isInCatalogue ? inCatalogue : inOwnDatabase, event, ({ isNoted, rows: [inserted] }) => {
    if (isNoted === true || inserted?.dispatched_at === null) onPending()
  })
}

/** @param isElsewhere whether the tenant's subscriptions may be in another database */
function insertion(isElsewhere: (event: NewEvent) => RawBuilder<SqlBool>) {
  return prepare((tables, event: NewEvent, dialect) => {
    // On SQLite `noted`, which is null as well, reports that the event is pending: RETURNING would cost too much.
    const pending = dialect === 'sqlite' ? noted : sql`null`
    const inserted = tables.insertInto('event').values((eb) => ({
      id: event.id,
      type: event.type,
      data: event.data,
      created_at: event.created_at,
      hops: event.hops,
      origin: event.origin,
      state: event.state,
      ...(dialect === 'sqlite' && { position: nextPosition(eb) }),
      dispatched_at: sql<string | null>`case when ${mayMatch(eb, event, dialect)} or ${isElsewhere(event)}
          then ${pending} else ${timestamp(event.created_at, dialect)} end`,
    }))
    const returning = inserted.returning('dispatched_at')
    return dialect === 'sqlite' ? (inserted as unknown as typeof returning) : returning // on SQLite it has no rows
  })
}

/**
 * @returns the position for the insert. The trigger of the table would set it as well, but write the row a second
 *   time.
 */
function nextPosition({ selectFrom, fn }: ExpressionBuilder<TenantTables, 'event'>) {
  const last = selectFrom('event').select(fn.max('position').as('position'))
  return sql<number>`max(coalesce(${last}, 0) + 1, cast(unixepoch('subsec') * 1000000 as integer))`
}

/** Whether a subscription may match. May be true without a match: the dispatcher compares exactly. */
function mayMatch(
  { exists, selectFrom }: ExpressionBuilder<TenantTables, 'event'>,
  { named, below }: NewEvent,
  dialect: Dialect,
) {
  return exists(
    selectFrom('subscription')
      .select('id')
      .where(({ or }) =>
        or([
          sql<SqlBool>`octet_length(subscription.events) > ${sql.lit(maxSearchedBytes)}`,
          ...[sql.lit('"*"'), named, below].map((text) =>
            dialect === 'postgres'
              ? sql<SqlBool>`strpos(subscription.events, ${text}) > 0`
              : sql<SqlBool>`instr(subscription.events, ${text}) > 0`,
          ),
        ]),
      ),
  )
}
