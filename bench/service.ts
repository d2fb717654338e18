/** The service as its users run it: `tenantry serve` in a folder of its own, with its default settings. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callerOf, expectJson, type Send } from './client.ts'
import { type Server, startServer } from './process.ts'

export const password = 'Admin@123'

export interface RunningService extends Server {
  folder: string
  databaseFile: string
}

export interface SignedIn {
  token: string
  send: Send
}

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tenantry-bench-'))
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** @param settings what differs from the defaults */
export async function startService(
  settings: Record<string, string> = {},
  folder: string = makeFolder(),
): Promise<RunningService> {
  const command = ['bin/tenantry.js', 'serve']
  const server = await startServer({ command, folder, settings, readyPath: '/health/ready' })
  return { ...server, folder, databaseFile: join(folder, 'data', 'tenantry.db') }
}

export function person(userName: string): Record<string, string> {
  const email = `${userName}@example.com`
  return { userName, email, password, firstName: 'Ada', lastName: 'Lovelace' }
}

/** Makes the first administrator of a fresh service, and signs in. */
export async function initialize(url: string): Promise<SignedIn> {
  await expectJson(callerOf(url)('POST', '/api/init/first-admin', person('admin')), 200)
  return signIn(url, 'admin')
}

export async function signIn(
  url: string,
  userName: string,
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  const answer = callerOf(url)('POST', '/api/auth/login', { userName, password }, headers)
  const { accessToken } = await expectJson<{ accessToken: string }>(answer, 200)
  return { token: accessToken, send: callerOf(url, { authorization: `Bearer ${accessToken}` }) }
}
