/** A running service of any version, and what it can do. */
import assert from 'node:assert/strict'
import { type Answer, Client } from '../../support/client.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { type OpenApi, operationsOf, readOpenApi } from '../../support/http/openapi-document.ts'
import type { Person } from '../expected.ts'

export interface Version {
  anonymous: Client
  /** Whether it has the route, e.g. `POST /api/files`. */
  has(route: string): boolean
  routes: string[]
}

/** A user that is signed in. */
export interface Caller {
  client: Client
  person: Person
}

export async function openVersion(url: string): Promise<Version> {
  const anonymous = new Client(url)
  const document: OpenApi = await readOpenApi(anonymous)
  const routes = operationsOf(document)
  return { anonymous, has: (route) => routes.has(route), routes: [...routes.keys()] }
}

/** @returns the body of a successful answer */
export async function done(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, text, body } = await answer
  assert.ok(status >= 200 && status < 300, `${status} ${text}`)
  return body
}

/** Signs in twice, because the refresh token of the first session is not to be used. */
export async function signIn(
  { anonymous }: Version,
  who: { tenantId: string; userName: string; password: string },
): Promise<Caller> {
  const { tenantId, userName, password } = who
  const login = () =>
    done(
      anonymous.post(
        '/api/auth/login',
        { userName, password },
        { ...fromAnyAddress(), 'x-tenant-id': tenantId },
      ),
    )
  const [{ accessToken, refreshToken }, working] = [await login(), await login()]
  const client = anonymous.withToken(working.accessToken).with({ 'x-tenant-id': tenantId })
  return { client, person: { tenantId, userName, password, accessToken, refreshToken } }
}

export function passwordOf(userName: string, tenantId: string): string {
  return `Of-${userName}@${tenantId}-1`
}

export function detailsOf(userName: string, tenantId: string): Record<string, string> {
  return {
    userName,
    email: `${userName}@${tenantId}.example`,
    password: passwordOf(userName, tenantId),
    firstName: 'Zoë',
    lastName: "O'Neil",
  }
}
