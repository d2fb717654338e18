/** The filters and the columns of a list, as its address has them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EntityDescription, FieldDescription } from '../../assets/console/describe.ts'
import {
  addressOf,
  filteredFields,
  filtersIn,
  operatorsOf,
  parameterOf,
  requestedValue,
  unknownFilters,
} from '../../assets/console/entity/filter.ts'
import { columnsOf, queryOf } from '../../assets/console/entity/list-state.ts'
import { withMatchingColumns } from '../../assets/console/entity/search-column.ts'

const field = (name: string, members: Partial<FieldDescription> = {}): FieldDescription => ({
  name,
  kind: 'text',
  description: null,
  isNullable: false,
  isRequired: false,
  isReadOnly: false,
  relation: null,
  entity: null,
  fileTypes: [],
  schema: {},
  ...members,
})

const entity: EntityDescription = {
  name: 'desk',
  plural: 'desks',
  label: 'desk',
  labels: 'desks',
  description: '',
  title: 'name',
  isSearched: true,
  sortedBy: ['name'],
  operations: {},
  actions: [],
  isLive: false,
  subscriptions: [],
  fields: [
    field('legs', { kind: 'integer' }),
    field('name'),
    field('lines', { kind: 'many' }),
    field('price', { kind: 'money', isNullable: true }),
    ...['a', 'b', 'c', 'd'].map((name) => field(name)),
  ],
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
    assert.deepEqual(unknownFilters(entity, address), ['lines', 'unknown[eq]'])
  })

  it('are those of a field that is called like another part of the address', () => {
    const own = { ...entity, fields: [field('group')] }
    const address = new URLSearchParams('group=group&view=x&group[eq]=A')
    const [filter, ...others] = filtersIn(own, address)
    assert.ok(filter !== undefined)
    assert.deepEqual(others, [])
    assert.deepEqual([addressOf(filter), parameterOf(filter), filter.value], ['group[eq]', 'group', 'A'])
    assert.deepEqual(unknownFilters(own, address), [])
  })

  it('name days and moments from today on', () => {
    const requested = (kind: FieldDescription['kind'], value: string) =>
      requestedValue(
        { field: field('due', { kind }), operator: 'gte', value },
        new Date(2026, 0, 3, 15, 30, 20),
      )
    assert.equal(requested('date', 'today-7'), '2025-12-27')
    assert.equal(requested('date', 'today'), '2026-01-03')
    assert.equal(requested('timestamp', 'today+1'), new Date(2026, 0, 4).toISOString())
    assert.equal(requested('timestamp', 'now-1'), new Date(2026, 0, 2, 15, 30).toISOString())
    assert.equal(requested('text', 'today'), 'today')
  })

  it('have the conditions of the kind of the field', () => {
    assert.deepEqual(operatorsOf(field('name')), ['icontains', 'istartsWith', 'eq', 'neq', 'in'])
    assert.deepEqual(operatorsOf(field('isActive', { kind: 'boolean' })), ['eq'])
    assert.equal(operatorsOf(field('price', { kind: 'money', isNullable: true })).at(-1), 'isNull')
    assert.deepEqual(operatorsOf(field('lines', { kind: 'many', isNullable: true })), [])
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
    const searched = ['name', 'a', 'b'].map((name) => field(name, { isSearched: true }))
    const own = { ...entity, fields: searched }
    const columns = [field('name')]
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
