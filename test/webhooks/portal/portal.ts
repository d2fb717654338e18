import assert from 'node:assert/strict'
import type { Client } from '../../support/client.ts'

export const portalSessions = '/api/webhooks/portal-sessions'
const origins = ['https://shop.example']

export interface OpenedPortal {
  id: string
  url: string
  token: string
  /** A caller with the token. */
  client: Client
}

/** @param anonymous a caller without a token */
export async function openPortal(
  by: Client,
  anonymous: Client,
  members: Record<string, unknown> = {},
): Promise<OpenedPortal> {
  const made = await by.post(portalSessions, { origins, ...members })
  assert.equal(made.status, 201, made.text)
  const { id, url } = made.body
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? ''
  return { id, url, token, client: anonymous.withToken(token) }
}
