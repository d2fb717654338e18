/** Files that fit a reader's head. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sourcesIn } from '../support/source.ts'

const most = 300
const usual = 200
const shareOfUsual = 0.9
const medianOfProduct = 80

interface Size {
  path: string
  lines: number
}

describe('files are small', () => {
  const all = fileSizes('src', 'test', 'bench', 'examples', 'bin', 'assets')

  test('none has more than 300 lines', () => {
    assert.ok(tooLong(all).length === 0, [...tooLong(all), '→ Split each by its subjects.'].join('\n'))
    assert.deepEqual(tooLong([{ path: 'a', lines: most }]), [])
    assert.deepEqual(tooLong([{ path: 'a', lines: most + 1 }]), ['a: 301 lines'])
  })

  test('nine of ten have at most 200', () => {
    assert.ok(
      shareWithin(all) >= shareOfUsual,
      `only ${shareWithin(all)} of the files: split one of those with 201 to 300 lines by its subjects`,
    )
    assert.equal(shareWithin([...Array(8).fill(usual), usual + 1, usual + 1].map(toSize)), 0.8)
  })

  test('half of the product has at most 80', () => {
    const product = median(fileSizes('src'))
    assert.ok(product <= medianOfProduct, `the median is ${product}: split a file of src by its subjects`)
    assert.equal(median([1, 300, 90].map(toSize)), 90)
  })
})

function fileSizes(...folders: string[]): Size[] {
  return sourcesIn(...folders).map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
}

function tooLong(files: Size[]): string[] {
  return files.filter(({ lines }) => lines > most).map(({ path, lines }) => `${path}: ${lines} lines`)
}

function shareWithin(files: Size[]): number {
  return files.filter(({ lines }) => lines <= usual).length / files.length
}

function median(files: Size[]): number {
  const lines = files.map((file) => file.lines).toSorted((a, b) => a - b)
  return lines[Math.floor(lines.length / 2)] ?? 0
}

function toSize(lines: number): Size {
  return { path: 'a', lines }
}
