/** `docs/security/asvs.md` goes through four chapters completely, and each requirement that is met says where. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeSpans, linkTargets, readDocument } from './markdown.ts'

const page = readDocument('docs/security/asvs.md')
const rows = page
  .split('\n')
  .map((line) => /^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+?) \| (.+) \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, number = '', , state = '', where = '']) => ({ number, state, where }))

/** The number of requirements in each section of ASVS 5.0.0. */
const sections: Record<string, number> = {
  '6.1': 3,
  '6.2': 12,
  '6.3': 8,
  '6.4': 6,
  '6.5': 8,
  '6.6': 4,
  '6.7': 2,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 3,
  '7.6': 2,
  '8.1': 4,
  '8.2': 4,
  '8.3': 3,
  '8.4': 2,
  '10.1': 2,
  '10.2': 3,
  '10.3': 5,
  '10.4': 16,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
}

describe('the page on ASVS', () => {
  test('has every requirement once, in order', () => {
    const expected = Object.entries(sections).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
    )
    assert.deepEqual(
      rows.map(({ number }) => number),
      expected,
    )
  })

  for (const { number, state, where } of rows) {
    test(`says of ${number} where or why`, () => {
      assert.ok(['met', 'not applicable', 'not met'].includes(state), state)
      const tests = codeSpans(where).filter((span) => /^test\/\S+\.test\.ts$/.test(span))
      if (state === 'met')
        assert.ok(tests.length + linkTargets(where).length > 0 || where === 'The same pages')
      else assert.ok(where.length > 10)
    })
  }
})
