/** Statements that count the mails within budgets. */
import { type SqlBool, sql } from 'kysely'
import type { TenantOrAllData } from '../../database/data.ts'
import { eachOf, prepareForTenantOrAll } from '../../database/prepared.ts'

/**
 * Selects limited mails. The template, the mailbox and the network of the client are
 * compared only if they are given.
 */
interface LimitedMails {
  template?: string
  mailboxKey?: string
  network?: string
  since: string
  limit: number
}

const counted = eachOf(prepareForTenantOrAll, (tables, p: LimitedMails, _dialect, given) => {
  const limited = tables
    .selectFrom('mail')
    .select('id')
    .where(sql<SqlBool>`is_limited`) // exactly the condition of the partial indexes
    .where('created_at', '>', p.since)
    .$if(given.has('template'), (query) => query.where('template', '=', p.template ?? ''))
    .$if(given.has('mailboxKey'), (query) => query.where('mailbox_key', '=', p.mailboxKey ?? ''))
    .$if(given.has('network'), (query) => query.where('network', '=', p.network ?? ''))
    .limit(p.limit)
  return tables.selectFrom(limited.as('limited')).select(({ fn }) => fn.countAll().as('number'))
})

/** @returns the number of limited mails of the tenant, or of all tenants; at most `limit` */
export async function countLimitedMails(data: TenantOrAllData, mails: LimitedMails): Promise<number> {
  return Number((await data.first(counted(mails), mails))?.number)
}
