/** What is typed into a picker as a whole name chooses the row that is called so. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { optionNamed } from '../../assets/console/component/option-named.ts'

const ada = ['1', 'Ada', 'open', 'ada@example.com', 'Paris']
const bob = ['2', 'Bob', 'Paris', 'bob@example.com']
const paris = ['3', 'Paris']

describe('The option that is called as was typed', () => {
  it('is found by its label, and by any other of its texts', () => {
    assert.equal(optionNamed([ada, bob], ' ADA '), ada)
    assert.equal(optionNamed([ada, bob], 'Bob@Example.com'), bob)
    assert.equal(optionNamed([ada, bob], 'example.com'), null)
  })

  it('is the one with the label, or the only one', () => {
    assert.equal(optionNamed([ada, bob, paris], 'paris'), paris)
    assert.equal(optionNamed([ada, bob], 'paris'), null)
    assert.equal(optionNamed([ada], 'open'), ada)
  })
})
