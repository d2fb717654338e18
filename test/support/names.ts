/** Names of the rows of a tenant, with which others try to reach them. */
import type { Rows } from './entity-rows.ts'

/** What names something of a tenant, in a path, a query or a body. */
export interface Names {
  tenant: string
  subdomain: string
  user: string
  session: string
  userName: string
  email: string
  /** A row of each entity. */
  rows: Rows
  /** A row of each entity that only the host reads. It is the host's, and has nothing of the tenant. */
  hostRows: Rows
  /** A deleted row of each entity that keeps them. */
  deleted: Rows
  product: string
  productName: string
  category: string
  order: string
  /** In all of its texts. */
  word: string
  role: string
  file: string
  customer: string
  subscription: string
  delivery: string
  portal: string
  provider: string
  rule: string
  receipt: string
  apiKey: string
  domain: string
  invitation: string
  view: string
  refreshToken: string
  /** Only where a test makes one. */
  passkey: string
  /** Only where the service has a job that a test can enqueue. */
  job: string
  /** Only where the service has a mail that a test can send. */
  mail: string
}

/** @returns the id of a row of an entity, whoever reads it */
export function rowOf({ rows, hostRows }: Pick<Names, 'rows' | 'hostRows'>, entity: string): string {
  return rows[entity] ?? hostRows[entity] ?? ''
}

/** Names of the same form that do not exist. */
export function missingLike({ rows, hostRows, deleted }: Names): Names {
  const none = (of: Rows) => Object.fromEntries(Object.keys(of).map((entity) => [entity, missing.product]))
  return { ...missing, rows: none(rows), hostRows: none(hostRows), deleted: none(deleted) }
}

export const missing: Names = {
  tenant: 'nothing-0f0f0f',
  subdomain: 'nothing-0f0f0f',
  user: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
  session: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c1e',
  userName: 'nothing-0f0f0f',
  email: 'nothing-0f0f0f@example.com',
  rows: {},
  hostRows: {},
  deleted: {},
  word: 'nothing-0f0f0f',
  product: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c12',
  productName: 'nothing-0f0f0f',
  category: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c13',
  order: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c14',
  role: 'nothing-0f0f0f',
  file: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c15',
  customer: 'nothing-0f0f0f',
  subscription: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c18',
  delivery: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c19',
  portal: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c1f',
  provider: 'nothing-0f0f0f',
  rule: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c1a',
  receipt: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c1b',
  apiKey: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c1d',
  domain: 'nothing-0f0f0f.example',
  invitation: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c1e',
  view: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c21',
  refreshToken: 'x'.repeat(43),
  passkey: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c20',
  job: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c1c',
  mail: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c1e',
}
