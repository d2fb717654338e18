/** Whoever lifts the rules of rows from a caller stands in this list, with the reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathsIn, readProjectFile } from '../support/source.ts'

const uses: Readonly<Record<string, readonly string[]>> = {
  'src/cli/access.ts': ['the operator is told of rows that the user does not reach'],
  'src/entity/history/read.ts': ['whoever reads a version reads the files that it names'],
  'src/entity/history/return.ts': [
    'whoever reads a deleted row may restore its files',
    'a row that returns is tested when it is there',
  ],
  'src/entity/history/row-history.ts': ['a version names the files that the row had'],
  'src/entity/write.ts': [
    'a new row is tested when it is there',
    'whoever reads a version may restore its files',
  ],
  'src/files/attach.ts': ['a row that is written uses its files', 'a row that is written frees its files'],
  'src/files/file.ts': ['a new file is its uploader’s'],
  'src/files/rest.ts': ['a link is the right to its file'],
}

const call = /\basTenant\((?!context: Context\))/g

test('the rules of rows are lifted from callers where a reason is given, and nowhere else', () => {
  const found = pathsIn('src').flatMap((path) => {
    const count = [...withoutTexts(readProjectFile(path) ?? '').matchAll(call)].length
    return count === 0 ? [] : [`${path} ${count}`]
  })
  const listed = Object.entries(uses).map(([path, reasons]) => `${path} ${reasons.length}`)
  assert.deepEqual(found.toSorted(), listed.toSorted())
})

/** Neither comments nor messages lift anything. */
function withoutTexts(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`/g, '')
}
