/** Archives whose every column has hostile values of its type: refused in words, and nothing is written anywhere. */
import assert from 'node:assert/strict'
import { copyFileSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { TObject } from 'typebox'
import type { Context } from '../../../src/core/context.ts'
import { recordedEncryptedColumns } from '../../../src/core/encryption/prepare.ts'
import { SecretBox } from '../../../src/core/encryption/secret-box.ts'
import type { EncryptedColumn } from '../../../src/database/encrypted-rows.ts'
import type { Database } from '../../../src/database/executor.ts'
import { openSqliteExclusively } from '../../../src/database/sqlite/exclusive-database.ts'
import { refuseForeignTypes, refuseInvalidRows } from '../../../src/operations/archive/rows/check.ts'
import { type ColumnKinds, readColumnKinds } from '../../../src/operations/archive/rows/column-kind.ts'
import { type EncryptedPurposes, purposesOf } from '../../../src/operations/archive/rows/encrypted.ts'
import { readRowSchemas } from '../../../src/operations/archive/rows/row-schema.ts'
import { type ArchivedShapes, archivedShapes } from '../../../src/operations/archive/table.ts'
import { hasRows } from '../../../src/operations/rows/rows.ts'
import type { TableShape } from '../../../src/operations/rows/shape.ts'
import { entityFeatures } from '../../../src/service/built-in-entities.ts'
import { tablesOfHost } from '../../support/host-access.ts'
import { runsOf } from '../../support/run/extent.ts'
import type { TestService } from '../../support/service.ts'
import { fillRareTables } from './every-table.ts'
import { forge, stateOf, updateOf } from './forge.ts'
import { fillTenant, setIdentityProvider } from './full-tenant.ts'
import { type Case, hostile, hostileContents, outside, path, strangeId } from './hostile-values.ts'
import { ArchiveScene } from './installations.ts'

describe('An archive with a hostile value', () => {
  let scene: ArchiveScene
  let target: TestService
  let context: Context
  let whole: { tenantId: string; path: string }
  let shapes: ArchivedShapes
  /** The tables in which a tenant may have rows. */
  let filled: TableShape[]
  let schemas: Map<string, TObject>
  let kinds: ColumnKinds
  let columns: EncryptedColumn[]
  let purposes: EncryptedPurposes
  let file: Database
  before(async () => {
    scene = new ArchiveScene()
    const source = await scene.installation('sqlite')
    target = await scene.installation('sqlite', source)
    const tenant = await fillTenant(scene, source, {})
    await setIdentityProvider(scene, source, tenant)
    const { shared } = await source.service.operator()
    await fillRareTables(source.config.databaseUrl, tenant.id, shared)
    whole = { tenantId: tenant.id, path: await scene.export(source, tenant.id) }
    await target.service.queueWorkers.stop()
    context = await target.service.operator()
    const { migrations, storedTables } = context.shared
    file = openSqliteExclusively(copy())
    shapes = await archivedShapes(file.executor, migrations)
    const ofHost = tablesOfHost(entityFeatures())
    filled = shapes.all.filter(({ name }) => !ofHost.has(name))
    columns = await recordedEncryptedColumns(context)
    purposes = purposesOf(columns)
    schemas = await readRowSchemas(file.executor, migrations, { ...storedTables(), purposes })
    kinds = await readColumnKinds(migrations, storedTables().tables)
    await file.executor.run('PRAGMA foreign_keys = OFF', [], false)
    await file.executor.run('PRAGMA ignore_check_constraints = ON', [], false)
  })
  after(async () => {
    await file.close()
    await scene[Symbol.asyncDispose]()
  })

  it('has a row in every table, which are accepted as they are', async () => {
    for (const shape of filled) assert.ok(await hasRows(file.executor, shape, whole.tenantId), shape.name)
    await check(filled)
  })

  it('is refused by table, row and column, for each column and each value', async () => {
    const cases = allCases()
    assert.ok(cases.length > 800, `${cases.length} cases`)
    for (const each of cases) {
      const { shape, column, value } = each
      const complaint = new RegExp(
        `^Row \\d+ of the table ${shape.name} in the archive: (.*; )?${column}: must `,
      )
      await changed(each, () =>
        assert.rejects(
          check([shape]),
          { kind: 'invalid', message: complaint },
          `${shape.name}.${column} = ${value}`,
        ),
      )
    }
  })

  it('is refused for a value that is longer than a request may give, or is none of its words', async () => {
    let bounded = 0
    for (const shape of filled)
      for (const column of shape.columns) {
        const schema = schemas.get(shape.name)?.properties[column] as { maxLength?: number; enum?: unknown[] } // of JSON Schema
        const value = schema?.enum === undefined ? `hex(zeroblob(${schema?.maxLength}))` : "'NO_SUCH_WORD'"
        if (schema?.enum === undefined && schema?.maxLength === undefined) continue
        bounded++
        await changed({ shape, column, value }, () =>
          assert.rejects(check([shape]), new RegExp(` ${column}: `)),
        )
      }
    assert.ok(bounded > 60)
  })

  it('is refused for an encrypted value that no key decrypts, or whose text no request may give', async () => {
    const archived = columns.filter(({ table }) => filled.some(({ name }) => name === table))
    assert.deepEqual(
      archived.map(({ table, column }) => `${table}.${column}`).toSorted(),
      Object.keys(hostileContents).toSorted(),
    )
    for (const { table, column, purpose } of archived) {
      const texts = hostileContents[`${table}.${column}`] ?? []
      const values = texts.map((text) => encrypted(text, purpose))
      const shape = filled.find(({ name }) => name === table) as TableShape // as filtered
      for (const value of [...values, encrypted('{}', 'another'), "x'00'"])
        await changed({ shape, column, value }, () =>
          assert.rejects(check([shape]), new RegExp(` ${column}: must `), `${table}.${column} = ${value}`),
        )
    }
  })

  const unfit = [
    [
      'a header that ends early',
      'subscription',
      'headers',
      '{"x":"a\\r\\ny: b"}',
      /table subscription .*: headers: must /,
    ],
    [
      'a secret that its scheme does not accept',
      'webhook_provider',
      'secrets',
      '[{"secret":"x","until":null}]',
      /^The secret of the provider \w+ in the archive must be whsec_ and base64/,
    ],
  ] as const
  for (const [what, table, column, text, complaint] of unfit) {
    it(`writes nothing for ${what}, which is encrypted`, async () => {
      const purpose = purposes.get(table)?.get(column) ?? ''
      const scheme = table === 'webhook_provider' ? ", scheme = 'standard-webhooks'" : ''
      const archive = await forgedCopy(`UPDATE ${table} SET ${column} = ${encrypted(text, purpose)}${scheme}`)
      await isRefused(archive, complaint)
    })
  }

  it('is refused for a row that another tenant has, or that refers to no row', async () => {
    for (const shape of filled) {
      await changed({ shape, column: 'tenant_id', value: "'other'" }, () =>
        assert.rejects(
          check([shape]),
          new RegExp(`table ${shape.name} in the archive: tenant_id: must be that of`),
        ),
      )
      const sql = `SELECT "from" AS name FROM pragma_foreign_key_list(?) WHERE "from" <> 'tenant_id'`
      for (const { name } of (await file.executor.run(sql, [shape.name], true)).rows) {
        const value = name === 'event_id' ? `'evt_${'0'.repeat(26)}'` : `'${strangeId}'`
        await changed({ shape, column: String(name), value }, () =>
          assert.rejects(check([shape]), new RegExp(`${String(name)}: must name a row of `)),
        )
      }
    }
  })

  const named = [
    ['a file', `UPDATE file SET id = '${path}'; UPDATE file_part SET file = '${path}'`, 'file', 'id'],
    ['a content', `UPDATE file_part SET file = '${path}'`, 'file_part', 'file'],
    ['a part of a content', 'UPDATE file_part SET position = 5', 'file_part', 'position'],
    ['a part that is cut', "UPDATE file_part SET bytes = x'00'", 'file', 'size'],
    ['a stray content', `UPDATE stray_file SET id = '${path}'`, 'stray_file', 'id'],
  ] as const
  for (const [what, sql, table, column] of named) {
    it(`writes nothing for the id of ${what}`, async () => {
      await isRefused(
        await forgedCopy(sql),
        new RegExp(`the table ${table} in the archive: ${column}: must `),
      )
    })
  }

  it('is refused as a whole, before anything is written', async () => {
    const cases = allCases()
    const count = runsOf(8, 100) // an import for each; the case above has checked all
    for (let number = 0; number < count; number++) {
      const { shape, column, value } = cases[Math.floor((number * cases.length) / count)] as Case // within
      const archive = await forgedCopy(updateOf(shape, column, value))
      await isRefused(archive, new RegExp(`table ${shape.name} in the archive: (.*; )?${column}: must `))
    }
  })

  const tenants = [
    ["id = '../../x', id_key = '../../x'", /manifest cannot be read: tenant\.id: must match/],
    ["subdomain = 'a/b'", /manifest cannot be read: tenant\.subdomain: /],
    ['name = hex(zeroblob(200))', /manifest cannot be read: tenant\.name: must not have more than 200/],
    ["created_at = 'never'", /manifest cannot be read: tenant\.createdAt: must be a valid date-time/],
    ['version = -1', /manifest cannot be read: tenant\.version: must be >= 1/],
    ["subdomain = 'www'", /^The subdomain www of the archive is reserved\. Give it with --subdomain/],
    ["subdomain = 'WWW'", /^The subdomain www of the archive is reserved/],
  ] as const
  for (const [change, complaint] of tenants) {
    it(`is refused for a tenant with ${change}`, async () => {
      await isRefused(await forgedCopy(`UPDATE tenant SET ${change}`), complaint)
    })
  }

  it('may have paths in its texts, and a reserved subdomain if an operator asks for it', async () => {
    const texts = filled.flatMap((shape) =>
      shape.columns
        .filter((column) => ['text', 'key'].includes(kinds.get(shape.name)?.get(column) ?? 'text'))
        .map((column) => ({ shape, column, value: `'${path}'` })),
    )
    const accepted: string[] = []
    for (const each of texts)
      await changed(each, async () => {
        const isAccepted = await check([each.shape]).then(
          () => true,
          () => false,
        )
        if (isAccepted) accepted.push(updateOf(each.shape, each.column, each.value))
      })
    assert.ok(accepted.length > 20)
    const harmless = accepted.filter((sql) => !/"(password_hash|queue)"/.test(sql))
    const archive = await forgedCopy(`UPDATE tenant SET subdomain = 'www'; ${harmless.join('; ')}`)
    const { files } = await stateOf(target)
    await scene.import(target, archive, { subdomain: 'www' })
    const { body } = await target.host.get(`/api/tenants/${whole.tenantId}`)
    assert.equal(body.subdomain, 'www')
    const added = (await stateOf(target)).files.filter((name) => !files.includes(name))
    assert.deepEqual(
      added.filter((name) => !name.startsWith('files')),
      [],
    )
    assert.ok(!existsSync(join(dirname(target.dataDir), outside)))
  })

  function allCases(): Case[] {
    return filled.flatMap((shape) =>
      shape.columns.flatMap((column) => {
        const kind = kinds.get(shape.name)?.get(column) ?? 'text'
        const isText = !['boolean', 'integer', 'price', 'bytes'].includes(kind)
        const values = hostile[kind].filter(
          (value) => !(isText && value === '7') && !(kind === 'price' && value === '7'),
        )
        return column === 'tenant_id' ? [] : values.map((value) => ({ shape, column, value }))
      }),
    )
  }

  /** As SQL. */
  function encrypted(text: string, purpose: string): string {
    const bytes = new SecretBox(target.config.masterKey).encrypt(text, purpose)
    return `x'${Buffer.from(bytes).toString('hex')}'`
  }

  async function check(checked: readonly TableShape[]): Promise<void> {
    await refuseForeignTypes(file.executor, checked)
    await refuseInvalidRows(file.executor, {
      shapes: checked,
      schemas,
      purposes,
      tenant: whole.tenantId,
      secretBox: context.shared.secretBox,
    })
  }

  /** Undone afterwards. */
  async function changed({ shape, column, value }: Case, work: () => Promise<void>): Promise<void> {
    await file.executor.run('SAVEPOINT change', [], false)
    await file.executor.run(updateOf(shape, column, value), [], false)
    try {
      await work()
    } finally {
      await file.executor.run('ROLLBACK TO change', [], false)
      await file.executor.run('RELEASE change', [], false)
    }
  }

  function copy(): string {
    const to = scene.path()
    copyFileSync(whole.path, to)
    return to
  }

  async function forgedCopy(sql: string): Promise<string> {
    const to = copy()
    await forge(to, { sql, shapes: shapes.all, tenantId: whole.tenantId })
    return to
  }

  async function isRefused(archive: string, message: RegExp): Promise<void> {
    const state = await stateOf(target)
    await assert.rejects(scene.import(target, archive), { message })
    assert.deepEqual(await stateOf(target), state)
    assert.ok(!existsSync(join(dirname(target.dataDir), outside)))
  }
})
