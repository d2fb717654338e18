/** Two locks of a tenant: invitations take its row before the budget of its mails, other mails only the budget. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pino } from 'pino'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { atAnyCost, person, startService, uniqueName } from '../../support/service.ts'

const count = 20

it('Invitations and changes of addresses at once all succeed on PostgreSQL', async () => {
  const mails = new CollectedMails()
  const failures: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void failures.push(line) })
  const service = await startService('postgres', {}, { ...atAnyCost, log, mailTransport: mails })
  const { id, admin } = await service.newTenant()
  const users = await Promise.all(
    Array.from({ length: count }, async () => {
      const made = await admin.post('/api/users', person(uniqueName('ada')))
      assert.equal(made.status, 201, made.text)
      return (await service.signIn(made.body.userName, id)).client
    }),
  )
  const newAddress = (): string => `${uniqueName('new')}@example.com`
  const answers = await Promise.all(
    users.flatMap((user) => [
      admin.post('/api/invitations', { email: newAddress() }),
      user.put('/api/users/me/email', { email: newAddress() }),
    ]),
  )
  assert.deepEqual(
    answers.map(({ status, text }) => [status, status < 300 ? '' : text]),
    Array.from({ length: count }, () => [
      [201, ''],
      [202, ''],
    ]).flat(),
    failures.join(''),
  )
  await service.stop()
})
