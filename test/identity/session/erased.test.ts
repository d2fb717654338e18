/** Access tokens of a tenant that was erased, for an instance that starts afterwards. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeJwt } from 'jose'
import { RevokedSessions } from '../../../src/identity/session/revocation.ts'
import { eraseTenant } from '../../../src/operations/erase/erase.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { startService } from '../../support/service.ts'

onEitherDatabase('Sessions of an erased tenant', (database) => {
  it('stay refused, also where the longest session is shorter than an unused one', async () => {
    const service = await startService(database, { SESSION_MAX_DAYS: '1' }, { changePropagationMs: 300 })
    try {
      const { id } = await service.newTenant()
      const { accessToken } = await service.signIn('worker', id)
      assert.equal((await service.host.delete(`/api/tenants/${id}`)).status, 204)
      const operator = await service.service.operator()
      await eraseTenant(operator, id)
      const revoked = new RevokedSessions(operator.installationData, operator.shared.clock)
      await revoked.load()
      assert.equal(revoked.has(String(decodeJwt(accessToken)['sid'])), true)
    } finally {
      await service.stop()
    }
  })
})
