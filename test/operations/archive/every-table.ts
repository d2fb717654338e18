/** Rows for the tables of an archive that a tenant fills only rarely. */
import { generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import type { Shared } from '../../../src/core/context.ts'
import { totpPurpose } from '../../../src/identity/second-factor/code.ts'
import { clientKeyPurpose } from '../../../src/identity/single-sign-on/purpose.ts'
import { inspect } from '../../support/database/inspect.ts'

const moment = "'2026-01-01T00:00:00.000Z'"
const id = "'0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c99'"

/** @param url of a SQLite file with the tenant */
export async function fillRareTables(url: string, tenantId: string, { secretBox }: Shared): Promise<void> {
  const tenant = `'${tenantId}'`
  const account = `(SELECT min(id) FROM account WHERE tenant_id = ${tenant})`
  const encrypted = (text: string, purpose: string) =>
    `x'${Buffer.from(secretBox.encrypt(text, purpose)).toString('hex')}'`
  const secret = encrypted('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', totpPurpose)
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = await calculateJwkThumbprint(keys.publicKey.export({ format: 'jwk' }))
  const publicKey = { ...keys.publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' }
  const privateKey = encrypted(JSON.stringify(keys.privateKey.export({ format: 'jwk' })), clientKeyPurpose)
  const statements = [
    `INSERT INTO factor_requirement VALUES (${tenant}, ${moment})`,
    `INSERT INTO passkey VALUES (${id}, ${tenant}, ${account}, 'pq0Zb3', 'pQECAyYg', 0, 'internal', 'Laptop', ${moment}, NULL)`,
    `INSERT INTO preference VALUES (${account}, 'density', ${tenant}, '"compact"', 1, ${moment})`,
    `INSERT INTO saved_view VALUES (${id}, ${tenant}, ${account}, 'Open', 'product', '{"query":{},"columns":[],"group":null,"layout":"table"}',
       'everybody', '[]', '["User"]', 1, ${moment}, ${moment})`,
    `INSERT INTO provider_identity VALUES (${tenant}, 'https://login.example.com', 'one', ${account}, ${moment}, ${moment})`,
    `INSERT INTO provider_client_key VALUES (${tenant}, '${kid}', '${JSON.stringify(publicKey)}', ${privateKey}, 1, ${moment})`,
    `INSERT INTO recovery_code VALUES (${account}, '${'a'.repeat(64)}', ${tenant}, ${moment})`,
    `INSERT INTO sequence VALUES (${tenant}, 'invoice.number', 7)`,
    `INSERT INTO stray_file VALUES (${tenant}, ${id}, ${moment})`,
    `INSERT INTO totp VALUES (${account}, 'active', ${tenant}, ${secret}, 0, ${moment})`,
    `INSERT INTO wrong_code VALUES (${account}, ${tenant}, 1, ${moment})`,
    `INSERT INTO tenant_audit SELECT tenant_id, id, actor_id, actor_name, action, subject_type, subject_id, detail,
       client_address, request_id, created_at, impersonator_id, impersonator_name FROM audit WHERE tenant_id = ${tenant} LIMIT 1`,
    `INSERT INTO queued_job (tenant_id, id, name, data, caller, status, attempts, attempts_before, hops, created_at, finished_at)
       VALUES (${tenant}, ${id}, 'invoice.remind', '{}', 'user:' || ${account}, 'SUCCEEDED', 1, 0, 0, ${moment}, ${moment})`,
    `UPDATE account SET attributes = '{"region":"north","teams":["a"],"isExternal":true}' WHERE id = ${account}`,
  ]
  for (const sql of statements) await inspect(url, sql)
}
