/** An application whose lists are followed: with rules of rows, a membership, and a hidden member. */
import { any, entity, integer, listOf, oneOf, reference, text, user } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'

const board = entity('board', {
  fields: { name: text(), keeper: user().optional() },
  access: { read: 'user', write: 'user' },
})

const seat = entity('seat', {
  fields: { board: reference(board), person: user() },
  access: { read: 'user', write: 'user' },
})

/** Its owner reaches it, the keeper of its board, whoever has a seat at it, and those of its region. */
const task = entity('task', {
  live: true,
  fields: {
    title: text({ max: 500, ignoreCase: true }),
    state: oneOf('open', 'done').default('open'),
    rank: integer().default(1),
    due: text().optional(),
    secret: text().optional(),
    owner: user().optional(),
    board: reference(board).optional(),
    region: text({ max: 100 }).optional(),
  },
  sort: ['region'],
  actions: { finish: { from: { state: 'open' }, to: { state: 'done' } } },
  access: {
    read: 'admin',
    write: 'admin',
    rows: ({ row, actor }) =>
      any(
        row.owner.is(actor.id),
        row.at('board.keeper').is(actor.id),
        row.board.in(actor.via(seat, 'person', 'board')),
        row.region.in(actor.claims('regions')),
        actor.may('task:sweep'),
      ),
    fields: { secret: { read: 'task:secret' } },
  },
})

/** Everybody reaches it. */
const notice = entity('notice', {
  live: true,
  fields: { text: text(), level: integer().default(1) },
  access: { read: 'user', write: 'user' },
})

/** Options of a service. */
export const taskApp = {
  features: migrated([board, seat, task, notice]),
  attributes: { regions: listOf(text()) },
}
