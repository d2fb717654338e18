/** `docs/configuration.md`: what it shows is run. The test of `docs/testing.md` is run with the package. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ApplicationError, createService, loadApplication, loadConfig } from '../../src/index.ts'
import { project, Workplace } from '../support/process/workplace.ts'
import { fencedBlocks, readDocument } from './markdown.ts'
import { runShownApplication } from './shown-application.ts'

describe('The page on the configuration of an application', () => {
  const page = readDocument('docs/configuration.md')

  it('shows files, commands and their output as they are', async () => {
    await using place = new Workplace()
    const folder = await runShownApplication(place, page)
    assert.ok(readdirSync(join(folder, 'my-app')).includes('.env'))
    const languages = new Set(fencedBlocks(page).map(({ language }) => language))
    assert.deepEqual([...languages].toSorted(), ['console', 'ts'])
  })

  it('gives a program what the command gives to the service', async () => {
    await using place = new Workplace()
    const settings = { DATA_DIR: place.folder, LOG_LEVEL: 'silent' }
    const application = await loadApplication(join(project, 'examples/invoice/tenantry.config.ts'))
    const service = await createService(loadConfig(settings, place.folder), application)
    const names = service.features.map(({ name }) => name)
    await service.stop()
    assert.deepEqual(names.slice(-6), [
      'customer',
      'invoice',
      'invoiceDocument',
      'invoicePrefix',
      'payment',
      'reminder',
    ])
    await assert.rejects(loadApplication(join(place.folder, 'none.ts')), ApplicationError)
    await assert.rejects(loadApplication(), /has no tenantry\.config\.ts\.$/)
  })
})
