import assert from 'node:assert/strict'
import { it } from 'node:test'
import { withArticle } from '../../src/core/language/article.ts'
import { english } from '../../src/core/language/en.ts'

it('An English noun has the article of its sound, not of its first letter', () => {
  for (const noun of [
    'order',
    'item',
    'uninstallation',
    'uninsured item',
    'unimportant note',
    'urn',
    'usher',
    'hour',
    'e-bike',
  ])
    assert.equal(withArticle(noun), `an ${noun}`)
  for (const noun of [
    'user',
    'unit',
    'union',
    'university',
    'usage record',
    'utility',
    'one-time code',
    'house',
    'bike',
  ])
    assert.equal(withArticle(noun), `a ${noun}`)
  assert.equal(english.event.created({ one: 'unit', many: 'units' }), 'A unit was created.')
  assert.equal(english.event.deleted({ one: 'order', many: 'orders' }), 'An order was deleted.')
})
