/** A service with full tenants, one of which is erased beside it. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EraseOptions, type Erasure, eraseTenant } from '../../../src/operations/erase/erase.ts'
import type { Client } from '../../support/client.ts'
import { type Ask, type Cells, inspect, inspectEach } from '../../support/database/inspect.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { newVictim, type Victim } from '../../support/victim.ts'
import { type Served, serve } from '../served.ts'

export interface ErasingScene extends Served {
  /** A tenant with rows in every table. @param members of the tenant */
  fill(members?: Record<string, unknown>): Promise<Victim>
  deactivate(tenant: { id: string }): Promise<void>
  erase(tenant: { id: string }, options?: EraseOptions): Promise<Erasure>
}

export async function setErasingScene(database: DatabaseName): Promise<ErasingScene> {
  const served = await serve(database, { changePropagationMs: 300 })
  return {
    ...served,
    fill: async (members) => {
      const victim = await newVictim(served, members)
      const keyed = { name: `Keyed ${victim.canary}`, price: 1 }
      const made = await victim.user.post('/api/products', keyed, { 'idempotency-key': 'k' })
      assert.equal(made.status, 201, made.text)
      return victim
    },
    deactivate: async ({ id }) => {
      assert.equal((await served.host.delete(`/api/tenants/${id}`)).status, 204)
    },
    erase: async ({ id }, options) => eraseTenant(await served.service.operator(), id, options),
  }
}

/** How many rows of the tenant each table has, by the catalogue of the database itself. */
export async function countsOf(url: string, tenantId: string): Promise<Record<string, number>> {
  return inspectEach(url, async (ask) => {
    const counts = (await tablesWith(url, 'tenant_id', ask)).map(
      (table) => `SELECT '${table}' AS name, count(*) AS n FROM "${table}" WHERE tenant_id = '${tenantId}'`,
    )
    const rows = await ask(counts.join(' UNION ALL '))
    return Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n)]))
  })
}

async function tablesWith(url: string, column: string, ask: Ask): Promise<string[]> {
  const tables = url.startsWith('sqlite:')
    ? `SELECT m.name AS name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = '${column}'`
    : `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = '${column}'`
  return (await ask(tables)).map(({ name }) => String(name)).toSorted()
}

/** Every row of every table that contains one of the words in any column. */
export async function rowsNaming(
  url: string,
  words: readonly string[],
): Promise<[table: string, row: Cells][]> {
  const names = url.startsWith('sqlite:')
    ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"
  return inspectEach(url, async (ask) => {
    const found: [string, Cells][] = []
    for (const { name } of await ask(names))
      for (const row of await ask(`SELECT * FROM "${String(name)}"`))
        if (words.some((word) => textOf(row).includes(word))) found.push([String(name), row])
    return found
  })
}

function textOf(row: Cells): string {
  return JSON.stringify(
    Object.values(row).map((cell) =>
      cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : cell,
    ),
  )
}

/** @returns the files under the folder whose bytes hold the word */
export function filesWith(folder: string, word: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  return paths.filter((path) => readFileSync(path).includes(word))
}

/** Asserts that nothing is left of the tenant but the proof of the erasure. */
export async function isErased(
  scene: ErasingScene,
  { id, canary }: Victim,
  urls: readonly string[],
): Promise<void> {
  for (const url of urls) {
    for (const [table, count] of Object.entries(await countsOf(url, id))) assert.equal(count, 0, table)
    for (const [table, row] of await rowsNaming(url, [id, canary])) {
      assert.ok(!JSON.stringify(row).includes(canary), table)
      const proof = table === 'audit' ? row['action'] : row['type']
      assert.ok(
        row['tenant_id'] === 'default' && proofs.has(String(proof)),
        `${table}: ${JSON.stringify(row)}`,
      )
    }
  }
  assert.deepEqual(filesWith(scene.dataDir, canary), [])
}

const proofs = new Set([
  'tenant.created',
  'tenant.updated',
  'tenant.deactivated',
  'tenant.moved',
  'tenant.erased',
])

/** Tables of features unknown to the command line: with rows that refer to each other, and without a key. */
export async function addUnknownTables(
  url: string,
  tenants: readonly { id: string; canary: string }[],
): Promise<void> {
  await inspect(
    url,
    `CREATE TABLE note (tenant_id text, id integer, parent integer, body text, PRIMARY KEY (tenant_id, id),
       FOREIGN KEY (tenant_id, parent) REFERENCES note (tenant_id, id))`,
  )
  await inspect(url, 'CREATE TABLE note_view (tenant_id text, note integer)')
  await inspect(
    url,
    "INSERT INTO migration (name, applied_at, digest) VALUES ('note-0001', '2026-01-01T00:00:00.000Z', '')",
  )
  for (const { id, canary } of tenants) {
    const rows = [1, 2].map((n) => `('${id}', ${n}, ${n === 1 ? 2 : null}, '${canary}')`)
    await inspect(url, `INSERT INTO note (tenant_id, id, parent, body) VALUES ${rows.toReversed().join()}`)
    await inspect(url, `INSERT INTO note_view (tenant_id, note) VALUES ('${id}', 1), ('${id}', 1)`)
    await inspect(url, `INSERT INTO sequence (tenant_id, name, last) VALUES ('${id}', '${canary}', 1)`)
  }
}

/** The state that an import of a tenant leaves. */
export async function addFormerKey(
  url: string,
  { id, canary }: { id: string; canary: string },
): Promise<void> {
  const values = `'${id}', '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11', '${canary}', '2026-01-01T00:00:00.000Z'`
  await inspect(url, `INSERT INTO idempotency_former_key (tenant_id, id, key, created_at) VALUES (${values})`)
}

/** A job that waits, and one of a schedule that has not begun for the tenant. */
export async function addJobs(url: string, { id, canary }: { id: string; canary: string }): Promise<void> {
  const at = "'2026-01-01T00:00:00.000Z'"
  const job = `'${id}', '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11', 'a.job', '{"a":"${canary}"}', 'DEAD', 1, 0, 0, ${at}`
  const columns = 'tenant_id, id, name, data, status, attempts, attempts_before, hops, created_at'
  await inspect(url, `INSERT INTO queued_job (${columns}) VALUES (${job})`)
  const owed = `'${id}', '${canary}', ${at}`
  await inspect(url, `INSERT INTO owed_job (tenant_id, schedule, occurrence_at) VALUES (${owed})`)
}

/** An authenticator app, a recovery code, a wrong code, and a passkey. */
async function addFactors(url: string, { id, canary, names }: Victim): Promise<void> {
  const at = "'2026-01-01T00:00:00.000Z'"
  const blob = url.startsWith('postgres') ? `'\\x00'` : "x'00'"
  const columns = 'account_id, tenant_id'
  const owner = `'${names.user}', '${id}'`
  const rows = [
    `totp (${columns}, state, secret, last_step, created_at) VALUES (${owner}, 'active', ${blob}, 0, ${at})`,
    `recovery_code (${columns}, hash, created_at) VALUES (${owner}, '${canary}', ${at})`,
    `wrong_code (${columns}, count, last_at) VALUES (${owner}, 1, ${at})`,
    `passkey (${columns}, id, credential_id, public_key, counter, transports, name, created_at)
       VALUES (${owner}, '${names.user}', '${canary}', '', 0, '', '${canary}', ${at})`,
  ]
  for (const row of rows) await inspect(url, `INSERT INTO ${row}`)
  await inspect(url, `INSERT INTO factor_requirement (tenant_id, copied_at) VALUES ('${id}', ${at})`)
}

/** An identity provider, a user of it, a token that was not used, and second factors. */
export async function addSignIns(url: string, victim: Victim): Promise<void> {
  const { id, canary, names } = victim
  const at = "'2026-01-01T00:00:00.000Z'"
  const blob = url.startsWith('postgres') ? `'\\x00'` : "x'00'"
  const provider = `'${id}', '${canary}', '${canary}', ${blob}, '{}', true, false, ${at}, 1`
  const providerColumns =
    'tenant_id, issuer, client_id, client_secret, options, is_enabled, is_required, created_at, version'
  await inspect(url, `INSERT INTO identity_provider (${providerColumns}) VALUES (${provider})`)
  const key = `'${id}', '${canary}', '${canary}', ${blob}, true, ${at}`
  const keyColumns = 'tenant_id, id, public_key, private_key, is_signing, created_at'
  await inspect(url, `INSERT INTO provider_client_key (${keyColumns}) VALUES (${key})`)
  const identity = `'${id}', '${canary}', '${canary}', '${names.user}', ${at}, ${at}`
  const identityColumns = 'tenant_id, issuer, subject, account_id, created_at, last_used_at'
  await inspect(url, `INSERT INTO provider_identity (${identityColumns}) VALUES (${identity})`)
  const sessionColumns = 'session_id, tenant_id, issuer, subject, provider_sid, id_token'
  await inspect(
    url,
    `INSERT INTO provider_session (${sessionColumns}) SELECT id, '${id}', '${canary}', '${canary}', '${canary}', ${blob}
       FROM session WHERE tenant_id = '${id}' LIMIT 1`,
  )
  const token = `'${canary}', 'sso-result', '${id}', '${names.user}', '{}', 0, ${at}, ${at}`
  const tokenColumns = 'hash, purpose, tenant_id, account_id, data, failures, created_at, expires_at'
  await inspect(url, `INSERT INTO one_time_token (${tokenColumns}) VALUES (${token})`)
  await addFactors(url, victim)
}

/** Whether every use of a token is refused. */
export async function isShutOut(client: Client): Promise<boolean> {
  const answers = await Promise.all(['/api/auth/me', '/api/products'].map((path) => client.get(path)))
  return answers.every(({ status }) => status === 401 || status === 403)
}
