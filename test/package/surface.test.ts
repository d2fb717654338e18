import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Source, sourcesIn } from '../support/source.ts'

/** The folders of the built-in business, whose rows belong to tenants as those of an application do. */
const models = ['catalog', 'orders']

describe('The package offers', () => {
  const offered = new Set(
    sourcesIn('src')
      .filter(({ path }) => path === 'src/index.ts')
      .flatMap(exportedNames),
  )

  for (const feature of models) {
    it(`all that the feature ${feature} is made of`, () => {
      const used = sourcesIn(`src/${feature}`).flatMap((source) => importedNames(source, `src/${feature}/`))
      assert.ok(used.length > 10)
      // Others declare the row of their table themselves.
      const missing = used.filter((name) => !offered.has(name) && !name.endsWith('Table'))
      assert.deepEqual([...new Set(missing)], [])
    })
  }
})

function exportedNames({ visit }: Source): string[] {
  const names: string[] = []
  visit({
    ExportSpecifier: ({ exported }) => {
      if (exported.type === 'Identifier') names.push(exported.name)
    },
  })
  return names
}

/** From files of ours outside the feature's own folder. */
function importedNames({ path, visit }: Source, folder: string): string[] {
  const names: string[] = []
  visit({
    ImportDeclaration: ({ source, specifiers }) => {
      const target = new URL(source.value, `file:///${path}`).pathname.slice(1)
      if (!source.value.startsWith('.') || target.startsWith(folder)) return
      for (const specifier of specifiers) {
        if (specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier') {
          names.push(specifier.imported.name)
        }
      }
    },
  })
  return names
}
