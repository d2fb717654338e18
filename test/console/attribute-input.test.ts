/** What the forms of the console send of attributes. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { attributeInput, givenAttributes } from '../../assets/console/page/people/attribute-input.ts'

describe('The attributes that a form sends', () => {
  it('take away what is emptied in a change', () => {
    const values = { region: ' ', shift: 'day ', external: false, departments: ['sales', '', ' support '] }
    assert.deepEqual(attributeInput(values), {
      region: null,
      shift: 'day',
      external: false,
      departments: ['sales', 'support'],
    })
  })

  it('leave out what is empty of something new, but a boolean that is false', () => {
    const values = { region: '', shift: 'day', external: false, departments: [''] }
    assert.deepEqual(givenAttributes(values), { attributes: { shift: 'day', external: false } })
    assert.deepEqual(givenAttributes({ region: ' ' }), {})
    assert.deepEqual(givenAttributes({}), {})
  })
})
