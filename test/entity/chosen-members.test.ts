import assert from 'node:assert/strict'
import { it } from 'node:test'
import { selectionOf } from '../../src/entity/chosen-members.ts'
import { product } from '../../src/index.ts'

it('A chosen member that rows do not have is refused, whatever was selected before', () => {
  const { model } = product
  const listed = new Set(['id', 'name'])
  const short = selectionOf({}, model, { reach: null, listed })
  assert.deepEqual(
    short.map(({ as }) => as),
    ['id', 'name'],
  )
  assert.equal(selectionOf({}, model, { reach: null, listed }), short)
  for (const fields of ['id,name|', '|', '["id","name"]'])
    assert.throws(() => selectionOf({ fields }, model, { reach: null }), /fields: /, fields)
})
