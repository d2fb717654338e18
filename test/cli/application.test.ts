/** The command line with the features of an application. Programs of their own that run it are in `test/documents`. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ownEntry } from '../database/schema/application.ts'
import { project, Workplace } from '../support/process/workplace.ts'

const supplier = join(project, 'examples/supplier/feature.ts')

describe('The command line of an application', () => {
  it('knows its features in each command', async () => {
    await using place = new Workplace()
    writeFileSync(
      join(place.folder, 'suppliers.ts'),
      `import { defineConfig } from '${ownEntry}'
import { supplierFeature } from '${supplier}'
export default defineConfig({ features: [supplierFeature] })
`,
    )
    const run = (...words: string[]) => place.run([...words, '--config', 'suppliers.ts'])
    assert.match((await run('migrate', '--dry-run')).stdout, /pending: [^\n]*\bsupplier-0001\b/)
    assert.equal((await run('tenant', 'create', 'acme', '--name', 'Acme')).code, 0)
    const exported = await run('tenant', 'export', 'acme', '--to', 'acme.db')
    assert.deepEqual([exported.code, exported.stderr], [0, ''])
    const unknown = await place.run(['tenant', 'export', 'acme', '--to', 'other.db'])
    assert.match(
      unknown.stderr,
      /^tenantry: A database has tables of unknown features \(supplier-0001\)\. Run the command line of the application that has these features/,
    )
  })
})
