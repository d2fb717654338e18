/** Comma-separated values of the console: what is written, and what is read. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseCsv, toCsv } from '../../assets/console/entity/csv.ts'

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

  it('are read as they were written, also with other ends of lines and without the last one', () => {
    const cells = [
      ['id', 'name'],
      ['1', 'Lamp, "tall"\nwith a shade'],
      ['2', ''],
    ]
    assert.deepEqual(parseCsv('id,name\r\n1,"Lamp, ""tall""\nwith a shade"\r\n2,\r\n'), cells)
    assert.deepEqual(parseCsv('\uFEFFid,name\n1,"Lamp, ""tall""\nwith a shade"\n\n2,'), cells)
    assert.deepEqual(parseCsv(''), [])
  })
})
