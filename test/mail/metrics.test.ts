import assert from 'node:assert/strict'
import { it } from 'node:test'
import { StillClock } from '../support/clock.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { refusal, startMailServer } from '../support/mail/mail-server.ts'
import { startService } from '../support/service.ts'
import { greet, greetingFeature } from './mail-feature.ts'

onEitherDatabase('The metrics of mails', (database) => {
  it('count those that wait and those that were given up, and the attempts by outcome', async () => {
    await using server = await startMailServer({
      onRcptTo: ({ address }, _session, done) => {
        const code = Number(/\d+/.exec(address))
        done(code === 250 ? null : refusal(code, 'as the address says'))
      },
    })
    const clock = new StillClock()
    const settings = { SMTP_URL: `smtp://127.0.0.1:${server.port}` }
    const service = await startService(database, settings, { features: [greetingFeature], clock: clock.now })
    for (const code of [250, 250, 250, 450, 450, 550])
      await greet(service, 'default', `code-${code}@acme.example`)
    await service.service.queueWorkers.drain()
    const { text } = await service.anonymous.get('/metrics')
    assert.match(text, /^tenantry_mails_attempts_total\{template="test.greet",outcome="success"\} 3$/m)
    assert.match(text, /^tenantry_mails_attempts_total\{template="test.greet",outcome="failure"\} 3$/m)
    assert.match(text, /^tenantry_mails\{status="PENDING"\} 2$/m)
    assert.match(text, /^tenantry_mails\{status="DEAD"\} 1$/m)
    await service.stop()
  })
})
