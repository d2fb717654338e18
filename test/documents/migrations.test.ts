/** The project of `docs/migrations.md` is made and run as the page says. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Workplace } from '../support/process/workplace.ts'
import { fencedBlocks, readDocument } from './markdown.ts'
import { runShownApplication } from './shown-application.ts'

const page = readDocument('docs/migrations.md')

describe('The page on migrations from definitions', () => {
  it('shows files, commands and their output as they are', async () => {
    await using place = new Workplace()
    await runShownApplication(place, page, (language, text, folder) => {
      if (language === 'sql') assert.equal(text, newestMigration(folder))
    })
    const languages = new Set(fencedBlocks(page).map(({ language }) => language))
    assert.deepEqual([...languages].toSorted(), ['', 'console', 'sql', 'ts'])
  })
})

function newestMigration(folder: string): string {
  const migrations = join(folder, 'migrations')
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql'))
  return readFileSync(join(migrations, files.toSorted().at(-1) ?? ''), 'utf8')
}
