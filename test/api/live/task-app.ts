/** An application whose lists are followed: with rules of rows, a membership, and a hidden member. */
import { any, entity, integer, oneOf, reference, text, user } from '../../../src/index.ts'

const board = entity('board', { fields: { name: text() }, access: { read: 'user', write: 'user' } })

const seat = entity('seat', {
  fields: { board: reference(board), person: user() },
  access: { read: 'user', write: 'user' },
})

/** Its owner reaches it, and whoever has a seat at its board. */
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
  },
  actions: { finish: { from: { state: 'open' }, to: { state: 'done' } } },
  access: {
    read: 'admin',
    write: 'admin',
    rows: ({ row, actor }) =>
      any(row.owner.is(actor.id), row.board.in(actor.via(seat, 'person', 'board')), actor.may('task:sweep')),
    fields: { secret: { read: 'task:secret' } },
  },
})

/** Everybody reaches it. */
const notice = entity('notice', {
  live: true,
  fields: { text: text(), level: integer().default(1) },
  access: { read: 'user', write: 'user' },
})

export const taskFeatures = [board, seat, task, notice]
