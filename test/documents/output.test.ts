import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Block } from './markdown.ts'
import { assertAmong, assertShown } from './output.ts'

const one = '01a1fb85-fd29-7000-ae94-f93e378647cc'
const other = '01a1fb85-fee1-7000-bc3e-1edfec93b533'
const third = '01a1fb86-7d3b-7000-924b-41622b2a6d30'

describe('output is compared by its structure', () => {
  for (const [title, text, printed] of [
    ['other ids', `${one} ${other}`, `${other} ${third}`],
    ['another time', 'at 2026-01-31T09:30:00.000Z', 'at 2027-11-01T19:31:02.003Z'],
    ['the rest of a line', 'begins …', 'begins and ends'],
    ['other blanks', 'a  b', 'a\tb\r'],
  ] as const) {
    test(`allows ${title}`, () => assertShown(shown('text', text), printed))
  }

  for (const [title, text, printed] of [
    ['other words', 'a', 'b'],
    ['a line more', 'a', 'a\nb'],
    ['a line less', 'a\nb', 'a'],
    ['two ids that should be one', `${one} ${one}`, `${one} ${other}`],
    ['another beginning', 'begins …', 'ends'],
  ] as const) {
    test(`refuses ${title}`, () => assert.throws(() => assertShown(shown('text', text), printed)))
  }

  test('ignores how JSON is set', () => assertShown(shown('json', '{\n "a": [1]\n}'), '{"a":[1]}'))
  for (const [title, printed] of [
    ['another value', '{"a":2,"b":1}'],
    ['a member more', '{"a":1,"b":1,"c":1}'],
    ['a member less', '{"a":1}'],
    ['another order', '{"b":1,"a":1}'],
    ['something that is no JSON', 'oops'],
  ] as const) {
    test(`refuses ${title}`, () => assert.throws(() => assertShown(shown('json', '{"a":1,"b":1}'), printed)))
  }

  test('finds lines among others, in their order', () => {
    assertAmong(shown('text', 'a\nb …'), 'x\na\nx\nb c\nx')
    assert.throws(() => assertAmong(shown('text', 'a\nb'), 'b\na'))
  })
})

function shown(language: string, text: string): Block {
  return { language, text, line: 1 }
}
