/** Operations as the API lists them. */
import assert from 'node:assert/strict'
import type { Answer, Client } from '../../support/client.ts'
import { eventually, soonMs } from '../../support/eventually.ts'

export interface Listed {
  id: string
  kind: string
  tenantId: string | null
  status: string
  phase: string | null
  progress: { copiedRows: number; totalRows: number } | null
  result: Answer['body']
  error: string | null
  requestedBy: string
  finishedAt: string | null
}

export async function findOperation(host: Client, id: string): Promise<Listed> {
  const { body } = await host.get('/api/operations?limit=200')
  const found = body.find((each: Listed) => each.id === id)
  assert.ok(found)
  return found
}

/** Waits until it has ended. */
export async function finishedOperation(host: Client, id: string): Promise<Listed> {
  await eventually('the end', 4 * soonMs, async () => (await findOperation(host, id)).finishedAt !== null)
  return findOperation(host, id)
}
