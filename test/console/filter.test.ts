/** The filters and the columns of a list, as its address has them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EntityDescription, FieldDescription } from '../../assets/console/describe.ts'
import {
  addressOf,
  changeParameters,
  filteredFields,
  filtersIn,
  type ListFilter,
  operatorsOf,
  parameterOf,
  relativeDay,
  requestedValue,
  uselessFilters,
} from '../../assets/console/entity/filter.ts'
import { columnsOf, queryOf } from '../../assets/console/entity/list-state.ts'
import { withMatchingColumns } from '../../assets/console/entity/search-column.ts'
import { wordCountQuery } from '../../assets/console/entity/word-count-query.ts'
import { describedEntity, describedField } from './described.ts'

const entity = describedEntity('desk', [
  describedField('legs', { kind: 'integer' }),
  describedField('name'),
  describedField('lines', { kind: 'many' }),
  describedField('price', { kind: 'money', isNullable: true }),
  ...['a', 'b', 'c', 'd'].map((name) => describedField(name)),
])

const id = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
/** For each kind what the address may have, and what it may not. */
const tried: [Partial<FieldDescription>, good: readonly string[], bad: readonly string[]][] = [
  [
    { kind: 'text' },
    ['=', '=today-99999999999', '[in]=a,b', '[nin]=a', '[endsWith]=a', '[ieq]=a'],
    ['[gt]=a', '[constructor]=a'],
  ],
  [
    { kind: 'integer' },
    ['=-5', '[in]=1,2'],
    ['=', '=1.5', '=1e9', '[in]=1,', '=9999999999999999', '[gt]=abc'],
  ],
  [{ kind: 'sequence' }, ['[lte]=7'], ['[lte]=0x10']],
  [{ kind: 'money' }, ['[gte]=1.25'], ['=Infinity', '=1,5', '=NaN']],
  [{ kind: 'boolean' }, ['=true', '=false', '[neq]=true'], ['=TRUE', '=1', '[in]=true']],
  [
    { kind: 'date' },
    ['=2026-02-28', '[lt]=today-9999', '[in]=2026-01-01,2026-01-02', '=now-1'],
    ['=2026-02-30', '[lt]=today-99999999999', '[in]=today,2026-01-01', '=0', '=today--1'],
  ],
  [
    { kind: 'timestamp' },
    [
      '[gt]=2026-01-31T09:30:00.000Z',
      '[lt]=now',
      '[lt]=today-1',
      '[gt]=2026-01-01',
      '=2026-01-31T09:30%2B02:00',
    ],
    [
      '[gt]=2026-13-01T00:00:00Z',
      '[gt]=x',
      '[gt]=now-99999999999',
      '[gt]=2026-01-31T99:99Z',
      '[contains]=2026',
    ],
  ],
  [
    { kind: 'enum', schema: { enum: ['open', null] } },
    ['=open', '[nin]=open'],
    ['=constructor', '=null', '[in]=open,x', '[nin]=x'],
  ],
  [{ kind: 'reference' }, [`=${id}`, '=me', `[in]=${id},${id}`], ['=1', `[in]=${id},`]],
  [{ kind: 'text', isNullable: true }, ['[isNull]=true'], ['[isNull]=perhaps']],
]

/** @returns how many filters the list is asked for; what is not asked for is said to be not valid */
function takenOf(members: Partial<FieldDescription>, written: string): number {
  const own = { ...entity, fields: [describedField('due', members)] }
  const address = new URLSearchParams(`due${written}`)
  const filters = filtersIn(own, address)
  const useless = uselessFilters(own, address)
  assert.equal(filters.length + useless.length, 1)
  assert.ok(useless.every(({ isGone }) => !isGone))
  for (const filter of filters) assert.equal(typeof requestedValue(filter), 'string')
  return filters.length
}

describe('The filters of a list', () => {
  it('are read from the address as they are written into it, and others are left alone', () => {
    const address = new URLSearchParams('name=Oak&price[lt]=5&sort=-name&lines=1&cursor=c&unknown[eq]=2')
    const filters = filtersIn(entity, address)
    assert.deepEqual(
      filters.map((filter) => [parameterOf(filter), filter.value]),
      [
        ['name', 'Oak'],
        ['price[lt]', '5'],
      ],
    )
    const request = { sort: '-name', cursor: 'c', name: 'Oak', 'price[lt]': '5' }
    assert.deepEqual(queryOf(entity, address, filters), request)
    assert.deepEqual(uselessFilters(entity, address), [
      { parameter: 'lines', words: 'lines', isGone: true },
      { parameter: 'unknown[eq]', words: 'unknown[eq]', isGone: true },
    ])
  })

  it('are those of a field that is called like another part of the address', () => {
    const own = { ...entity, fields: [describedField('group')] }
    const address = new URLSearchParams('group=group&view=x&group[eq]=A')
    const [filter, ...others] = filtersIn(own, address)
    assert.ok(filter !== undefined)
    assert.deepEqual(others, [])
    assert.deepEqual([addressOf(filter), parameterOf(filter), filter.value], ['group[eq]', 'group', 'A'])
    assert.deepEqual(uselessFilters(own, address), [])
  })

  it('is removed and replaced by whichever name the address has for it', () => {
    const address = new URLSearchParams('status[eq]=open&price[lt]=5&sort=name&sort[eq]=A')
    changeParameters(address, { status: null, 'price[lt]': '6', sort: '-name' })
    assert.deepEqual(Object.fromEntries(address), { 'price[lt]': '6', sort: '-name', 'sort[eq]': 'A' })
    changeParameters(address, { 'sort[eq]': null, price: '7' })
    assert.deepEqual(Object.fromEntries(address), { 'price[lt]': '6', sort: '-name', price: '7' })
  })

  it('name days and moments from today on', () => {
    const requested = (kind: FieldDescription['kind'], value: string) =>
      requestedValue(
        { field: describedField('due', { kind }), operator: 'gte', value },
        new Date(2026, 0, 3, 15, 30, 20),
      )
    assert.equal(requested('date', 'today-7'), '2025-12-27')
    assert.equal(requested('date', 'today'), '2026-01-03')
    assert.equal(requested('timestamp', 'today+1'), new Date(2026, 0, 4).toISOString())
    assert.equal(requested('timestamp', 'now-1'), new Date(2026, 0, 2, 15, 30).toISOString())
    assert.equal(requested('text', 'today'), 'today')
  })

  it('are not asked for with a value that their field cannot have', () => {
    for (const [members, good, bad] of tried) {
      for (const written of good) assert.equal(takenOf(members, written), 1, `${members.kind} ${written}`)
      for (const written of bad) assert.equal(takenOf(members, written), 0, `${members.kind} ${written}`)
    }
    const [, days] = relativeDay('today-99999999999')
    assert.equal(days, 0)
    const [chip] = uselessFilters(entity, new URLSearchParams(`legs=${'x'.repeat(5000)}`))
    assert.equal(chip?.words, `Legs ${'x'.repeat(40)}`)
  })

  it('have the conditions of the kind of the field', () => {
    assert.deepEqual(operatorsOf(describedField('name')), ['icontains', 'istartsWith', 'eq', 'neq', 'in'])
    assert.deepEqual(operatorsOf(describedField('isActive', { kind: 'boolean' })), ['eq'])
    assert.equal(operatorsOf(describedField('price', { kind: 'money', isNullable: true })).at(-1), 'isNull')
    assert.deepEqual(operatorsOf(describedField('lines', { kind: 'many', isNullable: true })), [])
    assert.ok(!filteredFields(entity).some(({ name }) => name === 'lines'))
  })
})

describe('The columns of a list', () => {
  it('are the title, the first fields and the time of creation, or those that were chosen', () => {
    const namesOf = (described: EntityDescription, chosen: readonly string[] | null) =>
      columnsOf(described, chosen).map(({ name }) => name)
    const usual = ['name', 'legs', 'lines', 'price', 'a', 'createdAt']
    assert.deepEqual(namesOf(entity, null), usual)
    assert.deepEqual(namesOf({ ...entity, defaultColumns: ['name', 'd', 'legs'] }, null), [
      'name',
      'd',
      'legs',
    ])
    assert.deepEqual(namesOf(entity, ['price', 'legs', 'unknown', 'price']), ['price', 'legs'])
    assert.deepEqual(namesOf(entity, ['unknown']), usual)
  })

  it('are one more where a search has matched what none of them shows', () => {
    const searched = ['name', 'a', 'b'].map((name) => describedField(name, { isSearched: true }))
    const own = { ...entity, fields: searched }
    const columns = [describedField('name')]
    const rows = [
      { id: '1', name: 'Oak', a: 'long', b: 'a desk of oak' },
      { id: '2', name: 'Pine', a: 'red pine', b: 'with an oak top' },
    ]
    const namesFor = (search: string) =>
      withMatchingColumns(own, columns, { rows, search }).map(({ name }) => name)
    assert.deepEqual(namesFor(''), ['name'])
    assert.deepEqual(namesFor('pine'), ['name'])
    assert.deepEqual(namesFor('OAK'), ['name', 'b'])
  })
})

describe('The query for the numbers of words', () => {
  const status = describedField('status', { kind: 'enum', schema: { enum: ['open', 'done', 'late'] } })
  const kind = describedField('kind', { kind: 'enum', schema: { enum: ['a', 'b'] } })
  const ticket = describedEntity('ticket', [status, kind, describedField('name')])
  const queryFor = (...filters: ListFilter[]) => wordCountQuery({ entity: ticket, filters, search: '' }, kind)

  it('has the other filters, with lists where an operator takes several values', () => {
    const ofKind = { field: kind, operator: 'eq', value: 'a' }
    const head = '{counts:ticketsAggregate(groupBy:[kind],where:{and:['
    const tail = ']}){key{kind}count}}'
    assert.equal(queryFor(ofKind), head + tail)
    for (const operator of ['in', 'nin'])
      assert.equal(
        queryFor(ofKind, { field: status, operator, value: 'open,done' }),
        `${head}{status:{${operator}:[open,done]}}${tail}`,
      )
    const named = { field: describedField('name'), operator: 'nin', value: 'Ada,"Bob"' }
    assert.equal(queryFor(named), `${head}{name:{nin:["Ada","\\"Bob\\""]}}${tail}`)
  })

  it('is not made for what cannot be counted, or would change it', () => {
    assert.equal(queryFor({ field: status, operator: 'isNull', value: 'true' }), null)
    assert.equal(queryFor({ field: status, operator: 'eq', value: 'open}}' }), null)
    assert.equal(wordCountQuery({ entity: ticket, filters: [], search: 'a' }, kind), null)
  })
})
