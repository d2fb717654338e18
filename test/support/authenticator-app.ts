/** An authenticator app in the hands of a test, and what the service answers to its user. */
import assert from 'node:assert/strict'
import { codeOf, fromBase32, stepAt } from '../../src/identity/second-factor/totp.ts'
import type { Answer, Client } from './client.ts'
import type { TestClock } from './clock.ts'
import { fromAnyAddress } from './http/forwarded.ts'
import { password, person, type TestService, uniqueName } from './service.ts'

export class AuthenticatorApp {
  readonly #secret: Uint8Array
  readonly #clock: TestClock

  constructor(secret: string, clock: TestClock) {
    this.#secret = fromBase32(secret)
    this.#clock = clock
  }

  /** @param steps before (negative) or after the present one */
  code(steps = 0): string {
    return codeOf(this.#secret, stepAt(this.#clock.now()) + steps)
  }

  /** A code that was not used, half a minute later. */
  nextCode(): string {
    this.#clock.advance({ seconds: 30 })
    return this.code()
  }

  /** A code that is wrong for an hour. */
  wrongCode(): string {
    const right = new Set(Array.from({ length: 242 }, (_, index) => this.code(index - 121)))
    let wrong = 0
    while (right.has(String(wrong).padStart(6, '0'))) wrong++
    return String(wrong).padStart(6, '0')
  }
}

export interface FactorUser {
  id: string
  userName: string
  email: string
  tenantId: string
  /** Signed in with the password, before there was a factor. */
  client: Client
  app: AuthenticatorApp
  recoveryCodes: string[]
}

/** Signs in with the password alone. */
export function giveLogin(
  { anonymous }: Pick<TestService, 'anonymous'>,
  {
    userName,
    tenantId,
    password: text = password,
  }: { userName: string; tenantId: string; password?: string },
): Promise<Answer> {
  const headers = { ...fromAnyAddress(), 'x-tenant-id': tenantId }
  return anonymous.post('/api/auth/login', { userName, password: text }, headers)
}

/** @returns the token with which the sign-in goes on */
export async function mfaToken(
  service: Pick<TestService, 'anonymous'>,
  user: { userName: string; tenantId: string },
): Promise<string> {
  const answer = await giveLogin(service, user)
  assert.equal(answer.status, 401, answer.text)
  return answer.headers.get('x-mfa-token') ?? ''
}

export function verify(
  { anonymous }: Pick<TestService, 'anonymous'>,
  tenantId: string,
  body: { token: string; code: string; method?: string },
): Promise<Answer> {
  return anonymous.post('/api/auth/mfa/verify', body, { ...fromAnyAddress(), 'x-tenant-id': tenantId })
}

export async function addApp(
  client: Client,
  clock: TestClock,
): Promise<Pick<FactorUser, 'app' | 'recoveryCodes'>> {
  const begun = await client.post('/api/auth/mfa/totp')
  assert.equal(begun.status, 201, begun.text)
  const app = new AuthenticatorApp(begun.body.secret, clock)
  const confirmed = await client.post('/api/auth/mfa/totp/confirm', { code: app.code() })
  assert.equal(confirmed.status, 200, confirmed.text)
  return { app, recoveryCodes: confirmed.body.recoveryCodes }
}

/** A new user with an authenticator app. The code of the present half minute is used. */
export async function newFactorUser(
  service: TestService,
  clock: TestClock,
  tenantId: string,
  members: Record<string, unknown> = {},
): Promise<FactorUser> {
  const { client: admin } = await service.signIn('boss', tenantId)
  const made = await admin.post('/api/users', person(uniqueName('ada'), members))
  assert.equal(made.status, 201, made.text)
  const { id, userName, email } = made.body
  const { client } = await service.signIn(userName, tenantId)
  return { id, userName, email, tenantId, client, ...(await addApp(client, clock)) }
}
