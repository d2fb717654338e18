/** What rules of rows cannot hide is told at the start. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import {
  all,
  any,
  type EntityOptions,
  entity,
  everyRow,
  like,
  reference,
  sequence,
  text,
  user,
} from '../../src/index.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { migrated } from './migrated.ts'

const circle = entity('circle', {
  fields: { name: text(), owner: user() },
  access: { rows: ({ row, actor }) => row.owner.is(actor.id) },
})

const fields = { owner: user().optional(), circle: reference(circle), name: text() }
type Rows = NonNullable<EntityOptions<typeof fields>['access']>['rows']

/** An entity whose names are unique for each owner, for each circle, and alone. */
function noted(rows: Rows) {
  const unique = [['owner', 'name'], ['circle', 'name'], ['name']] as const
  return entity('note', { fields, unique, access: { ...(rows !== undefined && { rows }) } })
}

const [ofOwner, ofCircle, alone] = ['[owner, name]', '[circle, name]', '[name]']

describe('A unique constraint tells of rows out of reach', () => {
  const cases: [what: string, rows: Rows, warned: string[]][] = [
    ['a member', ({ row, actor }) => row.owner.is(actor.id), [ofCircle, alone]],
    ['a path', ({ row, actor }) => row.at('circle.owner').is(actor.id), [ofOwner, alone]],
    ['the parent', like('circle'), [ofOwner, alone]],
    [
      'either of two',
      ({ row, actor }) => any(row.owner.is(actor.id), like('circle')),
      [ofOwner, ofCircle, alone],
    ],
    ['both of two', ({ row, actor }) => all(row.owner.is(actor.id), like('circle')), [alone]],
    [
      'a permission or a member',
      ({ row, actor }) => any(actor.may('note:see'), row.owner.is(actor.id)),
      [ofCircle, alone],
    ],
    ['nothing', () => any(), [ofOwner, ofCircle, alone]],
    ['a permission alone', ({ actor }) => actor.may('note:see'), []],
    ['every row', everyRow, []],
  ]
  for (const [what, rows, warned] of cases)
    it(`unless it begins with what the rule fixes: ${what}`, () => {
      const texts = (noted(rows).warnings?.() ?? []).map((each) => each.match(/\[.*?\]/)?.[0])
      assert.deepEqual(texts, warned)
    })
})

onEitherDatabase('The log of a start', (database) => {
  const lines: { level: number; msg: string }[] = []
  let service: TestService
  before(async () => {
    const bill = entity('bill', {
      fields: { number: sequence(), owner: user() },
      access: { rows: ({ row, actor }) => row.owner.is(actor.id) },
    })
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    service = await startService(database, {}, { features: migrated([bill]), log })
  })
  after(() => service.stop())

  it('warns of a sequence in an entity with rules', () => {
    const warned = lines.filter(({ msg }) => msg.startsWith('bill'))
    assert.deepEqual(
      warned.map(({ level, msg }) => [level, msg]),
      [[40, 'bill.number: the gaps of a sequence tell a caller how many rows are out of reach.']],
    )
  })
})
