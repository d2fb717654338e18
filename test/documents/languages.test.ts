/** The definition of the page on languages has the names that the page says. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Table } from '../../src/database/table.ts'
import type { Feature } from '../../src/index.ts'
import { ownEntry } from '../database/schema/application.ts'
import { migrated } from '../entity/migrated.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { fencedBlocks, readDocument } from './markdown.ts'

const [definition] = fencedBlocks(readDocument('docs/languages.md'))

onEitherDatabase('The definition of the page on languages', (database) => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-page-'))
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    assert.ok(definition)
    const file = join(folder, 'task.ts')
    writeFileSync(
      file,
      `import { entity, many, oneOf, text } from '${pathToFileURL(ownEntry)}'\n${definition.text}`,
    )
    const { task }: { task: Feature & { tables: readonly Table[] } } = await import(pathToFileURL(file).href)
    service = await startService(database, {}, { features: migrated([task]) })
    tenant = await service.newTenant()
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  const read = async (path: string, key: string, name: string) => {
    const { body, headers } = await tenant.admin.get(path, { 'accept-language': 'fr;q=0.2, de-CH;q=0.8' })
    assert.equal(headers.get('content-language'), 'de')
    return body.find((each: Record<string, unknown>) => each[key] === name)
  }

  it('has these names', async () => {
    const task = await read('/api/entities', 'name', 'task')
    assert.deepEqual([task.label, task.labels, task.console.group], ['Aufgabe', 'Aufgaben', 'Arbeit'])
    assert.deepEqual(
      task.fields.map(({ label }: { label: string }) => label),
      ['Titel', 'Status', 'Schritte'],
    )
    assert.equal((await read('/api/permissions', 'name', 'task:read')).description, 'Aufgaben lesen')
    const created = await read('/api/webhooks/event-types', 'type', 'task.created')
    assert.equal(created.summary, 'Eine Aufgabe wurde angelegt.')
  })
})
