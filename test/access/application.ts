/** An application with a rule of every kind: the walk, the mutants and the attack call it as callers of every kind. */
import { foreignKeyClause, indexStatements, tableStatement } from '../../src/database/table.ts'
import {
  all,
  any,
  entity,
  type Feature,
  integer,
  like,
  many,
  money,
  never,
  oneOf,
  type ReferencedEntity,
  reference,
  text,
  user,
} from '../../src/index.ts'

export const team = entity('team', {
  fields: { name: text() },
  search: ['name'],
  access: { read: 'public', write: 'admin' },
})

/** The short form, of an own column. */
export const membership = entity('membership', {
  fields: { team: reference(team), member: user() },
  access: { rows: ({ row, actor }) => row.member.is(actor.id) },
})

/** Refers to a ticket, which refers to it. */
export const client = entity('client', {
  fields: {
    name: text(),
    owner: user().optional(),
    secret: text().optional(),
    favourite: reference((): ReferencedEntity => ticket).optional(),
  },
  unique: [['name']],
  search: ['name', 'secret'],
  access: {
    rows: ({ row, actor }) => row.owner.is(actor.id),
    fields: { secret: { read: 'client:secret' } },
  },
})

/** The long form, with a path through a reference, a membership, and rules of fields of every kind. */
export const ticket = entity('ticket', {
  fields: {
    title: text(),
    code: text().optional(),
    note: text({ max: 100 }).optional(),
    cost: money().default(0),
    rank: integer().default(1),
    score: integer().computed(),
    stage: oneOf('early', 'late').default('early'),
    state: oneOf('open', 'closed').default('open'),
    client: reference(client),
    team: reference(team).optional(),
    assignee: user().optional(),
    lines: many({ label: text(), price: integer().default(0) }).optional(),
  },
  search: ['title', 'note'],
  live: true,
  trash: { days: 30 },
  sort: ['createdAt', 'rank'],
  unique: [['code']],
  compute: { score: ({ rank }) => rank * 10 },
  console: { home: { figure: 'sum(rank)', if: { state: 'open' } } },
  actions: {
    close: { from: { state: 'open' }, to: { state: 'closed', cost: 9 } },
    finish: { from: { stage: 'late' }, to: { state: 'closed' }, event: 'finished' },
  },
  access: {
    rows: {
      read: ({ row, actor }) =>
        any(
          row.assignee.is(actor.id),
          row.at('client.owner').is(actor.id),
          row.team.in(actor.via(membership, 'member', 'team')),
        ),
      create: ({ row, actor }) => any(row.assignee.is(actor.id), row.at('client.owner').is(actor.id)),
      update: ({ row, actor }) => any(row.assignee.is(actor.id), actor.may('ticket:sweep')),
      delete: ({ actor }) => actor.may('ticket:remove'),
      finish: ({ row, actor }) => any(row.at('client.owner').is(actor.id), actor.may('ticket:remove')),
    },
    fields: {
      note: { read: 'ticket:internal', write: 'ticket:internal' },
      cost: { write: never },
      rank: { read: 'ticket:internal' },
      score: { read: 'ticket:internal' },
      stage: { read: 'ticket:internal' },
      client: { write: 'once' },
      'lines.price': { read: 'ticket:internal' },
    },
  },
})

/** Follows its ticket. */
export const comment = entity('comment', {
  fields: { ticket: reference(ticket), body: text(), aside: text().optional() },
  search: ['body'],
  access: { rows: like('ticket'), fields: { aside: { read: 'ticket:internal' } } },
})

/** Follows what follows. */
export const reaction = entity('reaction', {
  fields: { comment: reference(comment), face: oneOf('smile', 'frown') },
  access: { rows: like('comment') },
})

/** A permission beside the row, and an operation that is refused. */
export const report = entity('report', {
  fields: { title: text(), author: user(), pages: integer().default(1) },
  access: {
    rows: {
      read: ({ row, actor }) => any(actor.may('report:see'), row.author.is(actor.id)),
      create: ({ row, actor }) => row.author.is(actor.id),
      update: ({ row, actor }) => all(row.author.is(actor.id), actor.may('report:edit')),
    },
  },
})

/** Rows that may be given away. */
export const parcel = entity('parcel', {
  fields: { label: text(), holder: user(), weight: integer().default(1) },
  access: {
    rows: {
      read: ({ row, actor }) => row.holder.is(actor.id),
      create: ({ row, actor }) => row.holder.is(actor.id),
      update: ({ row, actor }) => all(row.holder.is(actor.id), actor.may('parcel:send')),
      delete: ({ row, actor }) => row.holder.is(actor.id),
      keep: ({ actor }) => actor.may('parcel:write'),
    },
  },
})

/** A route that is public, and rows that are not. */
export const notice = entity('notice', {
  fields: { title: text(), team: reference(team).optional(), remark: text().optional() },
  search: ['title', 'remark'],
  access: {
    read: 'public',
    rows: ({ row, actor }) =>
      any(row.team.in(actor.via(membership, 'member', 'team')), actor.may('notice:see')),
    fields: { remark: { read: 'notice:inside' } },
  },
})

/** Those that others refer to first. */
export const application = [team, membership, client, ticket, comment, reaction, report, parcel, notice]

export const ruledNames = application.filter((each) => each.ruled.rules() !== null).map(({ name }) => name)

/** With their tables: a client and a ticket refer to each other. */
export const applicationFeatures: Feature[] = application.map((each) => ({
  ...each,
  migrations: [
    {
      name: `${each.name}-0001`,
      database: 'tenant' as const,
      statements: (types, dialect) =>
        each.tables.flatMap((table) => {
          const later = table.foreignKeys.filter(
            (key) => dialect === 'postgres' && isLater(each.name, key.table),
          )
          const first = { ...table, foreignKeys: table.foreignKeys.filter((key) => !later.includes(key)) }
          return [tableStatement(first, types, dialect), ...indexStatements(table, dialect)]
        }),
    },
    ...(each.name === 'ticket'
      ? [
          {
            name: 'ticket-0002',
            database: 'tenant' as const,
            statements: (_types: unknown, dialect: 'sqlite' | 'postgres') =>
              dialect === 'sqlite'
                ? []
                : [
                    `ALTER TABLE client ADD ${foreignKeyClause('client', { column: 'favourite_id', table: 'ticket' }, dialect)}`,
                  ],
          },
        ]
      : []),
  ],
}))

function isLater(name: string, table: string): boolean {
  const placeOf = (of: string) => application.findIndex((each) => each.name === of)
  return placeOf(table) > placeOf(name)
}
