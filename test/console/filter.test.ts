/** The filters and the columns of a list, as its address has them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EntityDescription, FieldDescription } from '../../assets/console/describe.ts'
import { filteredFields, filtersIn, operatorsOf, parameterOf } from '../../assets/console/entity/filter.ts'
import { columnsOf, queryOf } from '../../assets/console/entity/list-state.ts'

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
    assert.deepEqual(queryOf(address, filters), { sort: '-name', cursor: 'c', name: 'Oak', 'price[lt]': '5' })
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
    const namesOf = (chosen: string | null) => columnsOf(entity, chosen).map(({ name }) => name)
    assert.deepEqual(namesOf(null), ['name', 'legs', 'lines', 'price', 'a', 'createdAt'])
    assert.deepEqual(namesOf('price,legs,unknown'), ['legs', 'price'])
  })
})
