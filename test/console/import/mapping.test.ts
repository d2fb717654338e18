/** Which member a column of a file is. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FieldDescription } from '../../../assets/console/describe.ts'
import { keyOf, membersOf } from '../../../assets/console/entity/import/mapping.ts'
import { prepareCsv, prepareJson } from '../../../assets/console/entity/import/prepare.ts'
import { readCsv } from '../../../assets/console/entity/import/read-csv.ts'
import { describedEntity, describedField } from '../described.ts'

const field = (name: string, members: Partial<FieldDescription> = {}) =>
  describedField(name, { isNullable: true, ...members })
const entity = describedEntity('guest', [
  field('name', { label: 'Prénom' }),
  field('lastName', { label: 'Nom de famille' }),
  field('customerId', { kind: 'reference', relation: 'customer', label: 'Client', entity: 'customer' }),
  field('total', { kind: 'money', isReadOnly: true, label: 'Somme' }),
])

const mapped = (columns: readonly string[], chosen = {}) => membersOf(entity, columns, chosen)

describe('A column of a file', () => {
  it('is the member with its name or its label, whatever their case, accents and signs', () => {
    const columns = ['PRENOM', 'last_name', 'Customer', 'somme', 'Created at', 'colour']
    assert.deepEqual(mapped(columns), ['name', 'lastName', 'customerId', 'total', 'createdAt', null])
    assert.equal(keyOf('Nom de famille !'), keyOf('nom-DE-Famille'))
  })

  it('with the exact name comes first, and a member is that of one column', () => {
    assert.deepEqual(mapped(['Prénom', 'name']), [null, 'name'])
    assert.deepEqual(mapped(['Prénom', 'prenom']), ['name', null])
  })

  it('is what the user says', () => {
    assert.deepEqual(mapped(['name', 'x'], { name: '', x: 'name' }), [null, 'name'])
    assert.deepEqual(mapped(['Prénom', 'x'], { x: 'name' }), [null, 'name'])
  })

  it('gives its member the values, and those that nobody knows are told', () => {
    const content = 'Prénom,Client,Somme,colour,note\nAda,c1,3,red,x\n'
    const { members, unknown, readOnly, rows } = prepareCsv(entity, readCsv(content, ','), { note: '' })
    assert.deepEqual(members, ['name', 'customerId', null, null, null])
    assert.deepEqual([unknown, readOnly], [['colour'], ['Somme']])
    assert.deepEqual(rows[0]?.values, { name: 'Ada', customerId: 'c1' })
    const [first] = prepareJson(entity, [{ prenom: 'Ada', Client: 'c1' }], { Client: 'lastName' }).rows
    assert.deepEqual(first?.values, { name: 'Ada', lastName: 'c1' })
  })
})
