/** Mails and several instances: each mail is sent by one of them. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually, soonMs } from '../support/eventually.ts'
import { startInstance } from '../support/instance.ts'
import { startMailServer } from '../support/mail/mail-server.ts'
import { runsOf } from '../support/run/extent.ts'
import { startService } from '../support/service.ts'
import { greet, greetingFeature } from './mail-feature.ts'

const mails = runsOf(30, 60)

it('Two instances on PostgreSQL send each mail once', async () => {
  await using server = await startMailServer()
  const settings = { SMTP_URL: `smtp://127.0.0.1:${server.port}` }
  const options = { features: [greetingFeature] }
  const service = await startService('postgres', settings, options)
  const other = await startInstance(service, options)
  const ids: string[] = []
  for (let index = 0; index < mails; index++)
    ids.push(await greet(index % 2 === 0 ? service : other, 'default', `user${index}@acme.example`))
  const isDone = async () =>
    (await service.host.get('/api/mails?status=SENT&limit=100')).body.length === mails
  await eventually('all mails', soonMs, isDone)
  const sentIds = server.received.map(({ source }) => /^Message-ID: <([^@]+)@/m.exec(source)?.[1])
  assert.deepEqual(sentIds.toSorted(), ids.toSorted())
  await other.stop()
  await service.stop()
})
