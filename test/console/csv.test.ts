/** Comma-separated values of the console: what is written. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { guarded, toCsv, unguarded, writeLines } from '../../assets/console/entity/csv.ts'

describe('Comma-separated values', () => {
  it('are written with quotes where they are needed, lists as JSON, and nothing that a spreadsheet would run', () => {
    const rows = [
      { name: 'Lamp, "tall"', price: -1.5, tags: ['a', 'b'] },
      { name: '=1+1', price: null, isActive: true },
      { name: '@SUM(A1)', price: 0, tags: [] },
    ]
    assert.equal(
      toCsv(['name', 'price', 'tags', 'isActive'], rows),
      [
        'name,price,tags,isActive',
        '"Lamp, ""tall""",-1.5,"[""a"",""b""]",',
        "'=1+1,,,true",
        "'@SUM(A1),0,[],",
        '',
      ].join('\r\n'),
    )
  })

  it('are quoted for their separator', () => {
    assert.equal(writeLines([['a,b', 'c;d', 'e\tf']], ';'), 'a,b;"c;d";e\tf\r\n')
    assert.equal(writeLines([['a,b', 'c;d', 'e\tf']], '\t'), 'a,b\tc;d\t"e\tf"\r\n')
  })

  it('lose nothing by the guard against formulas', () => {
    const texts = fc.string({ unit: fc.constantFrom("'", '=', '-', 'a', '\t') })
    fc.assert(
      fc.property(texts, (text) => {
        assert.equal(unguarded(guarded(text)), text)
        assert.doesNotMatch(guarded(text), /^[=+\-@\t\r\n]/)
      }),
    )
    assert.equal(unguarded("'hello"), "'hello")
    assert.equal(unguarded('=1+1'), '=1+1')
  })
})
