/** Which rows a followed list has equals what a read by its filter gives, for every kind of member and operator. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import {
  boolean,
  date,
  entity,
  integer,
  money,
  oneOf,
  reference,
  text,
  timestamp,
  user,
} from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { randomFrom } from '../../support/random-numbers.ts'
import { runSeed, runsOf } from '../../support/run/extent.ts'
import { atAnyCost, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { LiveReader } from './live-reader.ts'

const sort = entity('kind', { fields: { name: text() }, access: { read: 'user', write: 'user' } })
const sample = entity('sample', {
  live: true,
  fields: {
    words: text({ max: 500 }),
    folded: text({ max: 500, ignoreCase: true }).optional(),
    state: oneOf('open', 'done').optional(),
    amount: integer(),
    level: integer().optional(),
    price: money().optional(),
    isOpen: boolean().optional(),
    day: date().optional(),
    at: timestamp().optional(),
    kind: reference(sort).optional(),
    person: user().optional(),
  },
  access: { read: 'user', write: 'user' },
})
const mark = entity('mark', { fields: { name: text() }, access: { read: 'user', write: 'user' } })

const rowCount = 40
/** With the mark, as many as a stream takes. */
const listCount = 99
const streams = runsOf(2, 40)

const texts = [
  ...[
    'Straße',
    'STRASSE',
    'strasse',
    'ﬁn',
    'FIN',
    'İstanbul',
    'istanbul',
    'i\u0307',
    'e\u0301té',
    'été',
    'ÉTÉ',
  ],
  ...['😀', '😀😁', '𝒳', 'a%b', 'a_b', 'a\\b', 'σς', 'ΣΣ', 'x', 'X', 'long '.repeat(50), 'ß'.repeat(200)],
]
const integers = [0, 1, -1, 2, 2 ** 31 - 1, -(2 ** 31)]
const prices = [0, 0.01, 0.1, 0.3, 19.99, 1e6, 0.0001]
const days = ['0001-01-01', '2024-02-29', '2026-01-31', '9999-12-31']
const moments = [
  ...[
    '2026-01-31T09:30:00Z',
    '2026-01-31T10:30:00+01:00',
    '2026-01-31T09:30:00.123Z',
    '2026-01-31t09:30:00.1239z',
  ],
  ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-01-30T23:30:00.001-10:00'],
]
const parts = ['contains', 'startsWith', 'endsWith']
const ordered = new Set(['amount', 'level', 'price', 'day', 'at'])

onEachDatabase('The filter of a followed list', (database) => {
  const random = randomFrom(runSeed)
  const any = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T // there are some
  let service: TestService
  let tenant: TestTenant
  let kinds: string[]
  let people: string[]
  before(async () => {
    const features = migrated([sort, sample, mark])
    const liveLimits = { tenantUnindexed: 1000 }
    service = await startService(database, {}, { ...atAnyCost, features, liveLimits })
    tenant = await service.newTenant()
    kinds = [await made('kinds', { name: 'a' }), await made('kinds', { name: 'b' })]
    people = (await tenant.admin.get('/api/users')).body.map(({ id }: { id: string }) => id)
  })
  after(() => service.stop())

  async function made(path: string, body: object): Promise<string> {
    const { status, text: reply, body: row } = await tenant.admin.post(`/api/${path}`, body)
    assert.equal(status, 201, reply)
    return row.id
  }

  const valuesOf = (): Record<string, readonly unknown[]> => ({
    words: texts,
    folded: texts,
    state: ['open', 'done'],
    amount: integers,
    level: integers,
    price: prices,
    isOpen: [true, false],
    day: days,
    at: moments,
    kindId: kinds,
    personId: people,
  })
  const anyRow = () =>
    Object.fromEntries(
      Object.entries(valuesOf()).map(([name, values]) => {
        const isRequired = name === 'words' || name === 'amount'
        return [name, !isRequired && random() < 0.25 ? null : any(values)]
      }),
    )
  const partOf = (whole: string): string => {
    const points = [...whole]
    const from = Math.floor(random() * points.length)
    return points.slice(from, from + Math.floor(random() * 4)).join('')
  }

  /** One condition on any member, as an address has it. */
  const anyCondition = (): [string, string | number | boolean | string[]] => {
    const [name, values] = any(Object.entries(valuesOf()))
    const value = any(values) as string | number | boolean // of such a member
    const operator = any(operatorsOf(name))
    const parameter = operator === '' ? name : `${name}[${operator}]`
    if (operator === 'isNull') return [parameter, any(['true', 'false'])]
    if (operator === 'in' || operator === 'nin') return [parameter, [String(value), String(any(values))]]
    const mayBePart = /with|contains|^ieq/i.test(operator) && random() < 0.7
    return [parameter, mayBePart ? partOf(String(value)) : value]
  }

  type Conditions = Record<string, ReturnType<typeof anyCondition>[1]>

  /** @returns the rows of each list by what the stream sends; `null` for a list that has to be read again */
  async function followed(filters: readonly Conditions[], start: string | null) {
    const lists = Object.fromEntries(
      filters.map((filter, place) => [`${place}`, { entity: 'sample', filter, fields: 'id' }]),
    )
    await using live = await LiveReader.open(tenant.admin, { ...lists, mark: { on: 'mark.created' } }, start)
    assert.deepEqual(live.ready.refused, {})
    const rows: (Set<string> | null)[] = filters.map(() => new Set<string>())
    const marked = await made('marks', { name: 'end' })
    for (;;) {
      const { event, data } = await live.next()
      if (event === 'event' && data.data.markId === marked) return rows
      for (const list of data.list) {
        if (event === 'reset') rows[list] = null
        else rows[list]?.add(data.id)
      }
    }
  }

  async function idsOf(filter: Conditions): Promise<string[]> {
    const query = new URLSearchParams({ limit: '100', fields: 'id' })
    for (const [name, value] of Object.entries(filter))
      for (const each of [value].flat()) query.append(name, String(each))
    const { status, text: reply, body } = await tenant.admin.get(`/api/samples?${query}`)
    assert.equal(status, 200, `${query} ${reply}`)
    return body.map(({ id }: { id: string }) => id).toSorted()
  }

  it('accepts the rows that the database accepts', async () => {
    const start = (await tenant.admin.get('/api/samples')).headers.get('live-cursor')
    for (let count = 0; count < rowCount; count++) await made('samples', anyRow())
    let compared = 0
    for (let stream = 0; stream < streams; stream++) {
      const filters = Array.from({ length: listCount }, () =>
        Object.fromEntries(random() < 0.7 ? [anyCondition()] : [anyCondition(), anyCondition()]),
      )
      for (const [place, rows] of (await followed(filters, start)).entries()) {
        const filter = filters[place] ?? {}
        const what = JSON.stringify(filter)
        if (rows === null) assert.match(what, /"(words|folded)/, 'only long texts are not known')
        else {
          assert.deepEqual([...rows].toSorted(), await idsOf(filter), what)
          compared++
        }
      }
    }
    assert.ok(compared > listCount / 2, `${compared} lists were compared`)
  })
})

function operatorsOf(name: string): string[] {
  const isText = name === 'words' || name === 'folded'
  return [
    ...['', 'neq'],
    ...(name === 'isOpen' ? [] : ['in', 'nin']),
    ...(ordered.has(name) ? ['gt', 'gte', 'lt', 'lte'] : []),
    ...(isText ? [...parts, ...parts.map((part) => `i${part}`), 'ieq'] : []),
    ...(name === 'words' || name === 'amount' ? [] : ['isNull']),
  ]
}
