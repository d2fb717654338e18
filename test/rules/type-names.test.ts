/** One name, one meaning: no two files export a type of the same name. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse, type Source, sourcesIn } from '../support/source.ts'

describe('no two exported types have one name', () => {
  const found = namesakes(sourcesIn('src'))

  test('no two exported types have one name, in the whole project', () => {
    const double = found.map(({ name, paths }) => `${name}: ${paths.join(', ')}`)
    assert.ok(
      double.length === 0,
      [...double, '→ Rename one of them, or export it from one file.'].join('\n'),
    )
  })

  test('refuses two interfaces, and an interface and a class, of one name', () => {
    const sources = [
      parse('src/a.ts', 'export interface Place {}\nexport type Page = string'),
      parse('src/b.ts', 'export interface Place {}\nexport abstract class Page {}'),
    ]
    assert.deepEqual(
      namesakes(sources).map(({ name }) => name),
      ['Place', 'Page'],
    )
  })

  test('allows a type that is exported again, one that is not exported, and a value and its type', () => {
    const sources = [
      parse('src/a.ts', 'export interface Place {}\nexport const Shape = 1\nexport type Shape = number'),
      parse('src/b.ts', "export { type Place } from './a.ts'\ninterface Shape {}"),
    ]
    assert.deepEqual(namesakes(sources), [])
  })
})

interface Namesakes {
  name: string
  paths: string[]
}

function namesakes(sources: readonly Source[]): Namesakes[] {
  const byName = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const name of exportedTypes(source)) {
      const paths = byName.get(name) ?? new Set()
      byName.set(name, paths.add(source.path))
    }
  }
  return [...byName]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => ({ name, paths: [...paths] }))
}

/** As the formatter writes declarations; parsing every file would take longer than all other rules. */
function exportedTypes({ text }: Source): string[] {
  const declarations = text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm)
  return [...declarations].map(([, name = '']) => name)
}
