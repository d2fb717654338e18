/** The project of `docs/migrations.md` is made and run as the page says. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { entry } from '../database/schema/application.ts'
import { Workplace } from '../support/process/workplace.ts'
import { fencedBlocks, readDocument } from './markdown.ts'

const page = readDocument('docs/migrations.md')

describe('The page on migrations from definitions', () => {
  it('shows files, commands and their output as they are', async () => {
    await using place = new Workplace()
    const seen = new Set<string>()
    for (const { language, text } of fencedBlocks(page)) {
      seen.add(language)
      if (language === 'ts') writeShown(place.folder, text)
      if (language === 'console') await runShown(place, text)
      if (language === 'sql') assert.equal(text, newestMigration(place.folder))
    }
    assert.deepEqual([...seen].toSorted(), ['', 'console', 'sql', 'ts'])
  })
})

/** Its first line names the file. */
function writeShown(folder: string, text: string): void {
  const [, file = '', rest = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? []
  assert.ok(file, text)
  writeFileSync(join(folder, file), rest.replace("'tenantry'", `'${entry}'`))
}

/** The number of the built-in migrations differs from version to version. */
async function runShown(place: Workplace, text: string): Promise<void> {
  const counted = (output: string) => output.replaceAll(/\d+ migrations/g, 'n migrations')
  for (const part of text.split(/^\$ node /m).slice(1)) {
    const [call = '', ...output] = part.split('\n')
    const { stdout, stderr } = await place.run(call.split(' '), { command: [process.execPath] })
    assert.equal(counted(`${stdout}${stderr}`), counted(output.join('\n')), call)
  }
}

function newestMigration(folder: string): string {
  const migrations = join(folder, 'migrations')
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql'))
  return readFileSync(join(migrations, files.toSorted().at(-1) ?? ''), 'utf8')
}
