/** Output that nobody reads: `| head`, or a full pipe. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { Client } from '../support/client.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { executable, Workplace } from '../support/process/workplace.ts'

describe('A service whose output nobody reads', () => {
  for (const streams of ['', '2>&1'])
    it(`goes on serving behind a pipe that has closed, and stops on SIGTERM ${streams}`, async () => {
      const port = await freePort()
      await using place = new Workplace({ PORT: `${port}`, HOST: '127.0.0.1', LOG_LEVEL: 'info' })
      const serve = `'${process.execPath}' '${executable}' serve ${streams} 3>&- & echo "pid $!" >&3`
      const script = `{ ${serve}; wait $!; echo "code $?" >&3; } 3>&2 | true`
      const running = place.start([], { command: ['sh', '-c', script] })
      const client = new Client(`http://127.0.0.1:${port}`)
      const status = () =>
        client.get('/health/ready').then(
          (answer) => answer.status,
          () => 0,
        )
      await eventually('the service', 20_000, async () => (await status()) === 200)
      for (let count = 0; count < 100; count++) assert.equal(await status(), 200)
      const [, pid] = /pid (\d+)/.exec(running.stderr) ?? []
      process.kill(Number(pid), 'SIGTERM')
      const { stderr } = await running.ended
      assert.match(stderr, /^pid \d+\ncode 0\n$/)
    })

  it('waits for no reader that has stalled, drops lines and counts them, and stops on SIGTERM', async () => {
    await using place = new Workplace()
    const service = await place.serve({ LOG_LEVEL: 'info' })
    service.process.stdout.pause()
    const dropped = async () => {
      const { text } = await service.anonymous.get('/metrics')
      return Number(/^log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
    }
    assert.equal(await dropped(), 0)
    await fillLog(service.anonymous)
    await eventually('lines dropped', soonMs, async () => (await dropped()) > 0)
    service.process.kill('SIGTERM')
    const [code] = await once(service.process, 'exit')
    assert.equal(code, 0)
  })

  it('tells how many lines were dropped once it is read again', async () => {
    await using place = new Workplace()
    const service = await place.serve({ LOG_LEVEL: 'info' })
    service.process.stdout.pause()
    await fillLog(service.anonymous)
    service.process.stdout.resume()
    await service.waitFor(/"listening"/)
    const told = (async () => {
      for (;;) {
        await service.anonymous.get('/health/live')
        const line = /"dropped":(\d+),"msg":"log lines dropped"\}\n/.exec(service.stdout)
        if (line !== null) return Number(line[1])
      }
    })()
    assert.ok((await told) > 0)
    assert.equal((await service.stop()).code, 0)
  })
})

describe('A command whose output nobody reads', () => {
  for (const words of ['tenant list', '--help', 'migrate', 'tenant create acme --name Acme'])
    it(`does what it is to do and says nothing of it: ${words}`, async () => {
      await using place = new Workplace()
      const script = `{ '${process.execPath}' '${executable}' ${words}; echo "code $?" >&2; } | true`
      const { stderr } = await place.start([], { command: ['sh', '-c', script] }).ended
      assert.equal(stderr, 'code 0\n')
    })

  it('fails when what it has to tell cannot be written', async () => {
    await using place = new Workplace()
    const script = `'${process.execPath}' '${executable}' tenant list > /dev/full`
    const { code, stderr } = await place.start([], { command: ['sh', '-c', script] }).ended
    assert.equal(code, 1)
    assert.match(stderr, /^tenantry: Not all output was written: ENOSPC[^\n]+\n$/)
  })

  it('fails as it would when standard error is closed as well', async () => {
    await using place = new Workplace()
    const script = `{ '${process.execPath}' '${executable}' nonsense 2>&1; echo "code $?" >&3; } 3>&2 | true`
    const { stderr } = await place.start([], { command: ['sh', '-c', script] }).ended
    assert.equal(stderr, 'code 2\n')
  })
})

/** With 8 MB: more than the pipe takes, what is read ahead of it on this side, and what the service keeps for it. */
async function fillLog(client: Client): Promise<void> {
  const path = `/nothing/${'x'.repeat(4000)}`
  for (let round = 0; round < 20; round++)
    await Promise.all(Array.from({ length: 100 }, () => client.get(path)))
}
