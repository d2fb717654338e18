/** What the summary of faults calls a member, at any depth. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FieldDescription } from '../../assets/console/describe.ts'
import { labelAt } from '../../assets/console/entity/fault-label.ts'
import { fieldOfSchema } from '../../assets/console/schema-fields.ts'

const price = fieldOfSchema('unitPrice', { type: 'number' })
const fields: FieldDescription[] = [
  { ...fieldOfSchema('contact', { properties: { name: { type: 'string' } } }), kind: 'json' },
  { ...fieldOfSchema('lines', {}), kind: 'many', fields: [price] },
  { ...fieldOfSchema('number', {}), isReadOnly: true },
]

describe('The label of a fault', () => {
  it('names the field, the line and the member', () => {
    assert.equal(labelAt(fields, '/contact'), 'Contact')
    assert.equal(labelAt(fields, '/contact/name'), 'Contact: Name')
    assert.equal(labelAt(fields, '/contact/other'), 'Contact')
    assert.equal(labelAt(fields, '/lines'), 'Lines')
    assert.equal(labelAt(fields, '/lines/1/unitPrice'), 'Lines 2: Unit price')
  })

  it('is none for what has no input', () => {
    assert.equal(labelAt(fields, '/number'), null)
    assert.equal(labelAt(fields, '/gone'), null)
    assert.equal(labelAt(fields, ''), null)
  })
})
