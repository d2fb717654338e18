/** Passwords, which are slow to hash, and tokens. */
import { randomBytes, randomUUID } from 'node:crypto'
import { bearer, requestBytes, tenantHeader } from '../../support/http/request-bytes.ts'
import { forwardedFrom } from '../address.ts'
import type { Attack, Front } from '../front.ts'
import { hammer } from '../hammer.ts'

const complexPassword = 'Wrong@123'

export const signInAttacks: Attack[] = [
  { name: 'logins', start: signIn },
  { name: 'password-changes', start: changePasswords },
  { name: 'new-users', start: createUsers },
  { name: 'first-admins', start: createFirstAdmins },
  { name: 'own-password', start: changeOwnPassword },
  { name: 'refreshes', start: refresh },
  { name: 'forged-tokens', start: forgeTokens },
]

/** Of users that exist and of others, in several tenants, no address more often than it may. */
export function signIn(front: Front, connections = 200): void {
  const { filled, hostile } = front.target
  hammer(front, {
    connections,
    proxied: true,
    next: (turn) => {
      const tenant = turn % 2 === 0 ? filled : hostile
      const userName = turn % 3 === 0 ? 'worker' : `nobody${turn}`
      const headers = { ...tenantHeader(tenant), ...forwardedFrom(turn) }
      return requestBytes({ path: '/api/auth/login', headers, body: { userName, password: complexPassword } })
    },
  })
}

/** By an administrator, of users who do not exist. */
function changePasswords(front: Front): void {
  const headers = bearer(front.target.hostile.admin)
  hammer(front, {
    connections: 50,
    next: () =>
      requestBytes({
        method: 'PUT',
        path: `/api/users/${randomUUID()}`,
        headers,
        body: { password: complexPassword },
      }),
  })
}

function createUsers(front: Front): void {
  const headers = bearer(front.target.hostile.admin)
  hammer(front, {
    connections: 50,
    next: (turn) => {
      const userName = turn % 2 === 0 ? 'worker' : `user-${turn}-${randomBytes(4).toString('hex')}`
      const email = `${userName}@example.com`
      const names = { firstName: 'Ada', lastName: 'Lovelace' }
      return requestBytes({
        path: '/api/users',
        headers,
        body: { userName, email, password: complexPassword, ...names },
      })
    },
  })
}

/** When there is one already. */
function createFirstAdmins(front: Front): void {
  const names = { firstName: 'Ada', lastName: 'Lovelace' }
  const body = { userName: 'first', email: 'first@example.com', password: complexPassword, ...names }
  hammer(front, {
    connections: 50,
    next: () => requestBytes({ path: '/api/init/first-admin', body }),
  })
}

function changeOwnPassword(front: Front): void {
  const headers = bearer(front.target.hostile.user)
  const body = { currentPassword: complexPassword, newPassword: 'Other@1234' }
  hammer(front, {
    connections: 50,
    next: () => requestBytes({ method: 'PUT', path: '/api/users/me/password', headers, body }),
  })
}

function refresh(front: Front): void {
  hammer(front, {
    next: () =>
      requestBytes({
        path: '/api/auth/refresh',
        body: { refreshToken: randomBytes(32).toString('base64url') },
      }),
  })
}

/** Of a key that nobody knows, with a signature that is not good, and with 12 KB of claims. */
function forgeTokens(front: Front): void {
  const [head = '', claims = '', signature = ''] = front.target.hostile.user.accessToken.split('.')
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const known: object = JSON.parse(Buffer.from(head, 'base64url').toString())
  hammer(front, {
    next: (turn) => {
      const forged = [
        `${encode({ ...known, kid: randomUUID() })}.${claims}.${signature}`,
        `${head}.${claims}.${randomBytes(64).toString('base64url')}`,
        `${head}.${encode({ sub: randomUUID(), filling: 'x'.repeat(8000) })}.${signature}`,
      ]
      const accessToken = forged[turn % forged.length] ?? ''
      return requestBytes({ path: '/api/products/active?limit=1', headers: bearer({ accessToken }) })
    },
  })
}
