import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readProjectFile, sourcesIn } from '../support/source.ts'
import { auditActions, path, withAuditTable } from './audit-documents.ts'

describe('what is audited', () => {
  test('is documented as it is', () => {
    const page = readProjectFile(path) ?? ''
    assert.equal(page, withAuditTable(page), 'run: npm run audit-actions')
  })

  test('is in the table, of every feature', () => {
    const declared = sourcesIn('src').flatMap(({ text }) =>
      [...text.matchAll(/export const (\w+) = \{([^}]*)\} satisfies AuditCatalogue/g)].flatMap(
        ([, , members = '']) => [...members.matchAll(/'([\w.]+)':/g)].map(([, action]) => action),
      ),
    )
    assert.deepEqual(declared.toSorted(), Object.keys(auditActions).toSorted())
  })

  test('is recorded somewhere, each action of the list', () => {
    const texts = sourcesIn('src')
      .filter(
        (source) => !source.path.endsWith('/feature.ts') && /\baudit\/a(ction|udit)\.ts'/.test(source.text),
      )
      .map(({ text }) => text)
    const unused = Object.keys(auditActions).filter(
      (action) => !texts.some((text) => text.includes(`'${action}'`)),
    )
    assert.deepEqual(unused, [])
  })

  test('is in a table that replaces what stood between its marks', () => {
    const renewed = withAuditTable('a <!-- audited actions -->stale<!-- /audited actions --> b')
    assert.match(renewed, /^a <!-- audited actions -->\n\| Action [\s\S]*`user\.created`[\s\S]*--> b$/)
    assert.ok(!renewed.includes('stale'))
    assert.throws(() => withAuditTable('no marks'), /no <!-- audited actions -->/)
  })
})
