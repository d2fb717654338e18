/** JSON that costs too much to parse is refused before it is parsed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { checkJsonBounds } from '../../../src/core/schema/json-bounds.ts'
import { runSeed, runsOf } from '../../support/run/extent.ts'

const mebibyte = 1024 * 1024
/** Those that a parser heeds come often. The library's own unit `binary` takes a second to prepare. */
const anyCharacter = fc.oneof(
  fc.constantFrom(...'"\\[]{}:,'),
  fc
    .integer({ min: 0, max: 0x10_ffff })
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code)),
)
/** What is smaller is not looked at. */
const padding = ' '.repeat(5000)
const tooDeep = { kind: 'invalid', message: 'The body is nested deeper than 100 levels.' }
const tooMany = { kind: 'invalid', message: 'The body has more than 32768 members, lists and objects.' }

describe('JSON', () => {
  const check = (text: string, limitBytes = mebibyte) => checkJsonBounds(Buffer.from(text), limitBytes)

  it('may be nested 100 levels deep', () => {
    const nested = (open: string, close: string, levels: number) =>
      `${open.repeat(levels)}1${close.repeat(levels)}${padding}`
    assert.equal(check(nested('[', ']', 100)), 100)
    assert.throws(() => check(nested('[', ']', 101)), tooDeep)
    assert.equal(check(nested('{"a":', '}', 100)), 200)
    assert.throws(() => check(nested('{"a":', '}', 101)), tooDeep)
    assert.throws(() => check('['.repeat(mebibyte)), tooDeep)
    assert.equal(check(`[${'[],'.repeat(3000)}0]`), 3001)
  })

  it('may have as many members, lists and objects as fit into a body of its size', () => {
    const objects = (count: number) => `[${Array(count - 1).fill('{}')}]`
    assert.equal(check(objects(32_768)), 32_768)
    assert.throws(() => check(objects(32_769)), tooMany)
    assert.throws(() => check(objects(32_769), 2000), tooMany)
    assert.equal(check(objects(60_000), 2 * mebibyte), 60_000)
    assert.equal(check(`{${Array(16_383).fill('"a":[]')}}`), 32_767)
    assert.throws(() => check(`{${Array(16_384).fill('"a":[]')}}`), tooMany)
  })

  it('may have as many texts and numbers as its bytes are enough for', () => {
    assert.equal(check(`[${'0,'.repeat(500_000)}0]`), 1)
    assert.equal(check(`["${'[{:'.repeat(300_000)}"]`), 1)
  })

  it('is not looked at when it is small', () => {
    assert.equal(check('['.repeat(4096)), 0)
    assert.throws(() => check('['.repeat(4097)), tooDeep)
  })

  it('is read as a parser reads it, whatever stands in its texts', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: anyCharacter, maxDepth: 6 }), (text) => {
        assert.equal(check(text + padding), countOf(JSON.parse(text)))
      }),
      {
        seed: runSeed,
        numRuns: runsOf(100, 1000),
        examples: [['"\\\\"'], ['["\\"[{:"]'], ['["\\\\","[{"]'], ['{"\\\\\\"":{"é":"🙂["}}']],
      },
    )
  })
})

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const values = Object.values(value)
  const own = Array.isArray(value) ? 1 : 1 + values.length
  return values.reduce((sum: number, each) => sum + countOf(each), own)
}
