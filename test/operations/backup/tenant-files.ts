/** Files of tenants, for tests of backups: stored by the verbs of the service, found by its rows. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Context } from '../../../src/core/context.ts'
import { forTenant } from '../../../src/core/tenant/each-tenant.ts'
import { TenantData } from '../../../src/database/data.ts'
import { allFiles } from '../../../src/files/all-files.ts'
import { uploadFile } from '../../../src/files/file.ts'
import { pdf } from '../../support/files/contents.ts'
import type { BackupScene } from '../data-folder.ts'

export const fileTenants = ['default', 'alpha', 'beta', 'twin']

export function upload(operator: Context, tenantId: string, text: string): Promise<string> {
  return forTenant(operator, tenantId, async (context) => {
    const content = (async function* () {
      yield pdf(text)
    })()
    const { id } = await uploadFile(context, {
      name: 'a.pdf',
      type: 'application/pdf',
      announced: null,
      content,
    })
    return id
  })
}

/** @returns the number of files that rows name, each of which has its content */
export function filesWithContents(scene: BackupScene, dataDir: string): Promise<number> {
  return scene.operate(dataDir, (operator) =>
    count(operator, (tenant, id, sha256) => {
      const content = readFileSync(join(scene.path(dataDir), 'files', tenant, id))
      assert.equal(digestOf(content), sha256)
    }),
  )
}

export async function count(
  operator: Context,
  check: (tenant: string, id: string, sha256: string) => void = () => undefined,
): Promise<number> {
  let found = 0
  for (const tenant of fileTenants)
    await forTenant(operator, tenant, async ({ data }) => {
      for await (const { id, sha256 } of allFiles(new TenantData(tenant, data.executor))) {
        check(tenant, id, sha256)
        found++
      }
    })
  return found
}

export function strays(operator: Context, tenant: string): Promise<string[]> {
  return forTenant(operator, tenant, async ({ data }) => {
    const rows = await data.kysely.selectFrom('stray_file').select('id').execute()
    return rows.map(({ id }) => id)
  })
}

export function insertFileRow(path: string, tenant: string, id: string): void {
  const database = new DatabaseSync(path)
  database
    .prepare(
      `INSERT INTO file (tenant_id, id, name, type, size, sha256, created_at)
       VALUES (?, ?, 'a.pdf', 'application/pdf', 1, ?, '2026-01-01T00:00:00.000Z')`,
    )
    .run(tenant, id, digestOf(pdf()))
  database.close()
}

export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
