/** Values that no column of an archive may have. */
import type { ColumnKind } from '../../../src/database/table.ts'
import type { TableShape } from '../../../src/operations/rows/shape.ts'
import { uniqueName } from '../../support/service.ts'

export interface Case {
  shape: TableShape
  column: string
  value: string
}

export const outside = uniqueName('tenantry.config')
export const path = `x/../../../../${outside}`
export const strangeId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2cff'

const secrets = (...given: object[]) => JSON.stringify(given)
const notSecrets = [
  ...['', 'x', 'null', '{}', '[]', '["secret"]', path],
  ...[secrets({ until: null }), secrets({ secret: 7, until: null }), secrets({ secret: '', until: null })],
  secrets({ secret: 'x'.repeat(257), until: null }),
  secrets({ secret: 'secret', until: 'never' }),
  secrets({ secret: 'secret', until: '2099-01-01T00:00:00.000Z' }),
  secrets(...Array.from({ length: 11 }, () => ({ secret: 'secret', until: null }))),
]

/** What the encrypted columns of an archive may not have, as text. */
export const hostileContents: Record<string, readonly string[]> = {
  'subscription.secrets': notSecrets,
  'subscription.headers': [
    ...['', 'x', 'null', '7', '["x"]', '{"x":7}', '{"x":""}', '{"x":"****"}'],
    ...[
      '{"x":"a\\r\\ny: b"}',
      '{"x\\r\\ny":"b"}',
      '{"Host":"other"}',
      '{"content-length":"0"}',
      '{"x":"1","X":"2"}',
    ],
    JSON.stringify({ x: 'a'.repeat(2001) }),
    JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_each, index) => [`x${index}`, 'a']))),
  ],
  'webhook_provider.secrets': [
    ...notSecrets,
    secrets(...Array.from({ length: 3 }, () => ({ secret: 'secret', until: null }))),
  ],
  'totp.secret': ['', 'x', path, 'JBSWY3DPEHPK3PXP', '1'.repeat(32), 'A'.repeat(64)],
  'provider_client_key.private_key': ['', 'x', '{}', '{"kty":"EC"}', '{"kty":"oct","k":"AAAA"}'],
  'identity_provider.client_secret': ['', 'x'.repeat(1001)],
  'idempotency.outcome': ['x', '{'],
  'idempotency_former_key.key': ['', 'x', 'A'.repeat(43), 'A'.repeat(88)],
  'queued_job.secret': ['a\0'],
}

/** As SQL, by the kind of the column. All of them must be refused. */
export const hostile: Record<ColumnKind, readonly string[]> = {
  id: [
    `'${path}'`,
    "''",
    "'0198c6f0'",
    "char(0) || '0198c6f0'",
    `'${strangeId.toUpperCase()}'`,
    "x'00'",
    '7',
  ],
  text: ["'a' || char(0)", "x'00'", '7'],
  key: ["'a' || char(0)", "x'00'", '7', 'hex(zeroblob(2000))'],
  timestamp: [
    `'${path}'`,
    "'2026-02-30T00:00:00.000Z'",
    "'2026-01-01'",
    "'x' || char(0)",
    '7',
    ...["'2026-01-01T00:00:00+02:00'", "'0000-01-01T00:00:00.000Z'", "'+010000-01-01T00:00:00.000Z'"],
  ],
  date: [`'${path}'`, "'2026-02-30'", "'0000-01-01'", '7'],
  boolean: ['2', '-1', "'true'", "x'00'"],
  price: ['-1', '1e300', '100000000000', '0.00001', "'much'"],
  integer: ['-1', '9223372036854775807', '-9223372036854775808', '1e300', '0.5', "'many'"],
  bytes: ["'text'", '7'],
  json: ["'{'", "'x' || char(0)", '7'],
}
