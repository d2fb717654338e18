/** `ARCHITECTURE.md` names what is there: the folders, and the packages with what they bring. It leads to the rooms. */
import assert from 'node:assert/strict'
import { globSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { codeSpans, documents, linkTargets, readDocument, root, tableUnder, textOf } from './markdown.ts'

interface LockedPackage {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

type Lock = Record<string, LockedPackage>

const page = readDocument('ARCHITECTURE.md')
/** Ten minutes of reading. */
const maxWords = 2500
const rooms = documents.filter((path) => /^(src|assets)\//.test(path))
const packages: Lock = JSON.parse(readDocument('package-lock.json')).packages

describe('the page on the architecture', () => {
  test('has every folder of the source on its map', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((one) => one.isDirectory())
    const mapped = tableUnder(page, 'The map').map(([folder = '']) => folder.replaceAll('`', ''))
    const missing = folders.map(({ name }) => `src/${name}`).filter((folder) => !mapped.includes(folder))
    assert.deepEqual(missing, [], 'write a row of each of these into ARCHITECTURE.md, under The map')
  })

  test('is read in ten minutes', () => {
    const { length } = page.split(/\s+/)
    assert.ok(
      length > 1000 && length <= maxWords,
      `${length} words: write what one room needs into its README`,
    )
  })

  test('leads to the README of every room that has one', () => {
    const links = linkTargets(page)
    assert.deepEqual(
      rooms.filter((path) => !links.includes(path)),
      [],
    )
  })

  for (const path of rooms) {
    test(`names in ${path} what is in its room`, () => {
      const wanted = codeSpans(readDocument(path)).filter((span) =>
        /^[\w-]+(\/[\w-]+)*\.(ts|tsx|js)$/.test(span),
      )
      const missing = wanted.filter(
        (span) => globSync([span, `${dirname(path)}/**/${span}`], { cwd: root }).length === 0,
      )
      assert.deepEqual(missing, [], 'write the path from the root for what is elsewhere')
    })
  }

  test('counts the packages that each dependency brings', () => {
    const listed = tableUnder(page, 'Dependencies').map(
      ([name = '', count]) => `${name.replaceAll('`', '')} ${count}`,
    )
    const locked = runtimeDependencies(packages).map((name) => `${name} ${closureOf(packages, [name]).size}`)
    const mend = 'write the counts of these into ARCHITECTURE.md, under Dependencies'
    assert.deepEqual(listed.toSorted(), locked.toSorted(), mend)
  })

  test('counts them all together', () => {
    const { size } = closureOf(packages, runtimeDependencies(packages))
    assert.ok(textOf(page).includes(`all together are ${size}.`), `all together are ${size}`)
  })

  test('names only development dependencies that are there', () => {
    const { devDependencies } = JSON.parse(readDocument('package.json'))
    const listed = tableUnder(readDocument('CONTRIBUTING.md'), 'Development dependencies')
    const names = listed.flatMap(([name = '']) => codeSpans(name))
    assert.ok(names.length > 10)
    assert.deepEqual(
      names.filter((name) => !(name in devDependencies)),
      [],
    )
  })

  test('counts a package once, and the nearest one of its name', () => {
    const lock: Lock = {
      '': { dependencies: { a: '1' } },
      'node_modules/a': { dependencies: { b: '1', c: '1' } },
      'node_modules/b': { dependencies: { c: '2' } },
      'node_modules/c': {},
      'node_modules/b/node_modules/c': { optionalDependencies: { missing: '1' } },
      'node_modules/development': {},
    }
    assert.deepEqual(
      [...closureOf(lock, ['a'])],
      ['node_modules/a', 'node_modules/b', 'node_modules/b/node_modules/c', 'node_modules/c'],
    )
  })
})

function runtimeDependencies(lock: Lock): string[] {
  return Object.keys(lock['']?.dependencies ?? {})
}

/** The paths of what these packages need, themselves included. */
function closureOf(lock: Lock, names: string[]): Set<string> {
  const found = new Set<string>()
  const add = (from: string, wanted: string[]): void => {
    for (const name of wanted) {
      const path = nearest(lock, from, name)
      if (path === null || found.has(path)) continue
      found.add(path)
      const { dependencies, optionalDependencies } = lock[path] ?? {}
      add(path, Object.keys({ ...dependencies, ...optionalDependencies }))
    }
  }
  add('', names)
  return found
}

/** As Node.js looks for a package: in the folder of the one that asks, then in those around it. */
function nearest(lock: Lock, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (path in lock) return path
    if (folder === '') return null
  }
}
