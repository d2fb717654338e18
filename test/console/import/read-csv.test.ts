/** The lines and cells of a CSV file. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCsv, type Separator, separatorOf } from '../../../assets/console/entity/import/read-csv.ts'

const cellsOf = (content: string, separator: Separator = ',') =>
  readCsv(content, separator).map(({ cells }) => cells)

describe('The lines of a CSV file', () => {
  it('are read with any end of lines, without the last one, and without empty ones', () => {
    const cells = [
      ['id', 'name'],
      ['1', 'Lamp, "tall"\nwith a shade'],
      ['2', ''],
    ]
    assert.deepEqual(cellsOf('id,name\r\n1,"Lamp, ""tall""\nwith a shade"\r\n2,\r\n'), cells)
    assert.deepEqual(cellsOf('id,name\n1,"Lamp, ""tall""\nwith a shade"\n\n,\n2,'), cells)
    assert.deepEqual(cellsOf('id,name\r1,"Lamp, ""tall""\nwith a shade"\r2,\r'), cells)
    assert.deepEqual(cellsOf('a,b\n1,2\r\n3,4\r\n'), [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ])
    assert.deepEqual(cellsOf(''), [])
  })

  it('have the separator of the head, also below empty lines', () => {
    const members = new Set(['name', 'price'])
    for (const before of ['', '\r\n', '\n\n', ';;\n'])
      assert.equal(separatorOf(`${before}name;price\nLamp;5\n`, members), ';', JSON.stringify(before))
  })

  it('keep a quotation mark inside of a cell', () => {
    assert.deepEqual(cellsOf('name,size\n5" pipe,5"\n"6"" pipe",6'), [
      ['name', 'size'],
      ['5" pipe', '5"'],
      ['6" pipe', '6'],
    ])
  })

  it('have the number at which they begin in the file', () => {
    const lines = readCsv('name\r\n\r\n"a\r\nb\nc"\r\nd\r\n', ',')
    assert.deepEqual(
      lines.map(({ line }) => line),
      [1, 3, 6],
    )
  })

  it('are broken where quotation marks are not in pairs', () => {
    const broken = (content: string) =>
      readCsv(content, ',').flatMap(({ line, isBroken }) => (isBroken ? [line] : []))
    assert.deepEqual(broken('name\n"a"\n"b"c"\nd\n'), [3])
    assert.deepEqual(broken('name\na\n"b\nc\n'), [3])
    assert.deepEqual(broken('name\n"a ""b"""\n5" pipe\n'), [])
  })
})

describe('The separator of a CSV file', () => {
  const members = new Set(['name', 'price', 'note'])

  it('is the one with which the first line names the most members', () => {
    for (const separator of [',', ';', '\t'] as const) {
      const content = `${['name', 'price'].join(separator)}\r\n${['a,b,c,d', '"1;2;3;4"', '5'].join(separator)}`
      assert.equal(separatorOf(content, members), separator)
    }
    assert.equal(separatorOf('"name"; price ;a,b,c,d,e\n', members), ';')
  })

  it('is the one with the most columns where no member is named, or else the comma', () => {
    assert.equal(separatorOf('Nom;Prix\nLampe;1,5\n', members), ';')
    assert.equal(separatorOf('name\nLamp; tall\n', members), ',')
    assert.equal(separatorOf('', members), ',')
  })
})
