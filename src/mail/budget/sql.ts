/** Statements that count the mails within budgets. */
import { type SqlBool, sql } from 'kysely'
import type { CatalogueData, InstallationData } from '../../database/data.ts'
import { eachOf, prepareForInstallation, prepareInCatalogue } from '../../database/prepared.ts'

/** The condition is that of the partial indexes, as they are written. */
const isLimited = sql<SqlBool>`is_limited`

interface LimitedMails {
  template: string
  since: string
  limit: number
}

interface MailsToMailbox extends LimitedMails {
  mailboxKey: string
}

const toMailbox = prepareInCatalogue((tables, p: MailsToMailbox) =>
  tables
    .selectFrom('mail')
    .select('id')
    .where(isLimited)
    .where('template', '=', p.template)
    .where('created_at', '>', p.since)
    .where('mailbox_key', '=', p.mailboxKey)
    .limit(p.limit),
)

/** @returns the number of limited mails of the tenant to the mailbox, at most `limit` */
export async function limitedMailsTo(catalogue: CatalogueData, mails: MailsToMailbox): Promise<number> {
  return (await catalogue.all(toMailbox, mails)).length
}

const toMailboxOfAll = prepareForInstallation((tables, p: MailsToMailbox) =>
  tables
    .selectFrom('mail')
    .select('id')
    .where(isLimited)
    .where('template', '=', p.template)
    .where('created_at', '>', p.since)
    .where('mailbox_key', '=', p.mailboxKey)
    .limit(p.limit),
)

/** The same for the mails of all tenants. */
export async function limitedMailsOfAllTo(
  installation: InstallationData,
  mails: MailsToMailbox,
): Promise<number> {
  return (await installation.all(toMailboxOfAll, mails)).length
}

interface MailsOfNetwork extends LimitedMails {
  network?: string
}

const ofTenant = eachOf(prepareInCatalogue, (tables, p: MailsOfNetwork, _dialect, given) => {
  const query = tables
    .selectFrom('mail')
    .select('id')
    .where(isLimited)
    .where('template', '=', p.template)
    .where('created_at', '>', p.since)
    .limit(p.limit)
  return given.has('network') ? query.where('network', '=', p.network ?? '') : query
})

/** @param network only those that it has caused @returns the number of limited mails of the tenant, at most `limit` */
export async function limitedMailsOf(catalogue: CatalogueData, mails: MailsOfNetwork): Promise<number> {
  return (await catalogue.all(ofTenant(mails), mails)).length
}

const ofAll = eachOf(
  prepareForInstallation,
  (tables, p: { network?: string; since: string; limit: number }, _dialect, given) => {
    const recent = tables
      .selectFrom('mail')
      .select('id')
      .where(isLimited)
      .where('created_at', '>', p.since)
      .limit(p.limit)
    const counted = given.has('network') ? recent.where('network', '=', p.network ?? '') : recent
    return tables.selectFrom(counted.as('counted')).select(({ fn }) => fn.countAll().as('number'))
  },
)

/** @param network `null`: of all clients @returns the number of limited mails that the network has caused, at most `limit` */
export async function limitedMailsFrom(
  installation: InstallationData,
  { network, ...mails }: { network: string | null; since: string; limit: number },
): Promise<number> {
  const parameters = { ...mails, ...(network !== null && { network }) }
  return Number((await installation.first(ofAll(parameters), parameters))?.number)
}
