/** Tokens that are not valid are told to the audit, and not to whoever guesses. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { password, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const token = 'x'.repeat(43)
const names = { userName: uniqueName('eve'), firstName: 'Eve', lastName: 'Moneypenny' }

/** By the name of the purpose, as the audit has it. */
const uses: Record<string, [path: string, body: object, status: number]> = {
  'reset-password': ['/api/auth/reset-password', { token, password }, 400],
  'verify-email': ['/api/auth/verify-email', { token }, 400],
  invitation: ['/api/invitations/accept', { token, password, ...names }, 400],
  'sign-in-code': ['/api/auth/token', { code: token, codeVerifier: token }, 401],
  mfa: ['/api/auth/mfa/verify', { token, code: '123456' }, 401],
}

onEitherDatabase('Tokens that are not valid', (database) => {
  let service: IdentityService
  let clock: TestClock
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
  })
  after(() => service.stop())

  it('are in the audit of their tenant, once a minute for each purpose, also when several come at once', async () => {
    const [tenant, other] = [await service.newTenant(), await service.newTenant()]
    const useAll = async () => {
      for (const [path, body, status] of Object.values(uses)) {
        const send = () =>
          service.anonymous.post(path, body, { ...fromAnyAddress(), 'x-tenant-id': tenant.id })
        const answers = await Promise.all(Array.from({ length: 4 }, send))
        assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [status], path)
      }
    }
    const recorded = async (by = tenant.admin): Promise<string[]> => {
      const { body } = await by.get('/api/audit?action=token.refused&limit=100')
      return body.map(({ detail }: { detail: { purpose: string } }) => detail.purpose).toSorted()
    }
    const purposes = Object.keys(uses).toSorted()
    await useAll()
    assert.deepEqual(await recorded(), purposes)
    clock.advance({ minutes: 1 })
    await useAll()
    assert.deepEqual(await recorded(), [...purposes, ...purposes].toSorted())
    assert.deepEqual(await recorded(other.admin), [])
  })

  it('of sign-ups are in the audit of the host', async () => {
    const answer = await service.anonymous.post(
      '/api/auth/sign-up/verify',
      { token, password },
      fromAnyAddress(),
    )
    assert.equal(answer.status, 400)
    const { body } = await service.host.get('/api/audit?action=token.refused')
    assert.deepEqual(body[0].detail, { purpose: 'sign-up' })
  })
})
