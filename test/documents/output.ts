/** Compares what a document shows with what was printed: by structure, whatever the ids, times and tokens are. */
import assert from 'node:assert/strict'
import type { Block } from './markdown.ts'

/** `…` in what is shown stands for the rest of the line. */
const ellipsis = '…'

const volatile: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
]
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

export function assertShown(shown: Block, printed: string): void {
  if (shown.language === 'json') {
    assert.deepEqual(json(printed), json(shown.text))
    return
  }
  const expected = lines(shown.text)
  const actual = lines(printed).map((line, index) => shortened(line, expected[index] ?? ''))
  assert.deepEqual(actual, expected)
}

/** The lines appear in this order, perhaps among others. */
export function assertAmong(shown: Block, printed: string): void {
  const actual = lines(printed)
  let place = 0
  for (const expected of lines(shown.text)) {
    const found = actual.findIndex((line, index) => index >= place && shortened(line, expected) === expected)
    assert.notEqual(found, -1, `There is no line "${expected}" in:\n${printed}`)
    place = found + 1
  }
}

/** With its members in their order. */
function json(text: string): unknown {
  return JSON.stringify(JSON.parse(normalized(text)), null, 2).split('\n')
}

function lines(text: string): string[] {
  return normalized(text)
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.trimEnd().replaceAll(/[ \t]+/g, ' '))
}

function shortened(line: string, expected: string): string {
  if (!expected.endsWith(ellipsis)) return line
  const length = expected.length - ellipsis.length
  return line.length >= length ? `${line.slice(0, length)}${ellipsis}` : line
}

/** The same id gets the same number, so that it shows where two are one. */
function normalized(text: string): string {
  const ids: string[] = []
  const numbered = text.replaceAll(uuid, (id) => {
    if (!ids.includes(id)) ids.push(id)
    return `<id ${ids.indexOf(id)}>`
  })
  return volatile.reduce((result, [pattern, name]) => result.replaceAll(pattern, name), numbered)
}
