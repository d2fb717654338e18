/** A former database with something that has no place in the tables of today is refused, and stays as it is. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, it } from 'node:test'
import { MigrationRefused } from '../../src/database/migration.ts'
import { inspectEach } from '../support/database/inspect.ts'
import { type DatabaseName, onEachDatabase } from '../support/databases.ts'
import { runHere } from '../support/process/run-here.ts'
import { versionNames } from './fixture.ts'
import { postgresText } from './postgres-text.ts'
import { serve, type Unpacked, unpack } from './upgraded.ts'

const trigger: Record<DatabaseName, string[]> = {
  sqlite: ['CREATE TRIGGER move_0_insert_product AFTER INSERT ON product BEGIN SELECT 1; END'],
  postgres: [
    'CREATE TRIGGER move_0_product AFTER INSERT ON product FOR EACH ROW EXECUTE FUNCTION move_note()',
  ],
}

onEachDatabase('A former database', (database) => {
  let unpacked: Unpacked
  beforeEach(async () => {
    unpacked = await unpack(versionNames()[0] ?? '', database)
  })
  afterEach(() => unpacked.drop())

  /** @param attempts each is refused */
  const assertRefused = async (
    statements: readonly string[],
    problem: RegExp,
    attempts: string[][] = [['migrate'], ['migrate', '--dry-run']],
  ): Promise<void> => {
    const { settings, shared, folder } = unpacked
    await inspectEach(shared, async (ask) => {
      for (const statement of statements) await ask(statement)
    })
    const was = await textOf(shared)
    for (const words of attempts) {
      const { code, stderr } = await runHere(words, { environment: settings, folder })
      assert.equal(code, 1)
      assert.match(stderr, problem)
      assert.match(stderr, /The database is not migrated, and nothing was changed\./)
    }
    await assert.rejects(serve(unpacked), MigrationRefused)
    assert.equal(await textOf(shared), was)
  }

  it('with an unknown column is refused', () =>
    assertRefused(
      ['ALTER TABLE account ADD COLUMN nickname text'],
      /Table account has columns that are not known here \(nickname\)/,
    ))

  it('with a migration of an application that is not there is refused', () =>
    assertRefused(
      ["INSERT INTO migration (name, applied_at) VALUES ('invoice-0001', '2026-01-01T00:00:00.000Z')"],
      /Migration invoice-0001 was applied, and is not known here\./,
    ))

  it('from which a tenant is moved is refused', () =>
    assertRefused(trigger[database], /A tenant is being moved from or to this database\./, [['migrate']]))
})

async function textOf(url: string): Promise<string> {
  if (!url.startsWith('sqlite:')) return postgresText(url)
  return createHash('sha256')
    .update(readFileSync(url.slice('sqlite:'.length)))
    .digest('hex')
}
