/** Output that nobody reads: `| head`, or a full pipe. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { Client } from '../support/client.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { executable, Workplace } from '../support/process/workplace.ts'
import { triesAll } from '../support/run/extent.ts'

describe('A service whose output nobody reads', () => {
  for (const streams of triesAll ? ['', '2>&1'] : ['2>&1'])
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
      await eventually('the service', soonMs, async () => (await status()) === 200)
      for (let count = 0; count < 100; count++) assert.equal(await status(), 200)
      const [, pid] = /pid (\d+)/.exec(running.stderr) ?? []
      process.kill(Number(pid), 'SIGTERM')
      const { stderr } = await running.ended
      assert.match(stderr, /^pid \d+\ncode 0\n$/)
    })

  it('waits for no reader that has stalled, drops lines, tells how many once it is read again, and stops on SIGTERM', async () => {
    await using place = new Workplace()
    const service = await place.serve({ LOG_LEVEL: 'info' })
    const dropped = async () => {
      const { text } = await service.anonymous.get('/metrics')
      return Number(/^log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
    }
    assert.equal(await dropped(), 0)
    service.process.stdout.pause()
    await fillLog(service.anonymous)
    await eventually('lines dropped', soonMs, async () => (await dropped()) > 0)
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

    service.process.stdout.pause()
    await fillLog(service.anonymous)
    service.process.kill('SIGTERM')
    const [code] = await once(service.process, 'exit')
    assert.equal(code, 0)
  })
})

describe('A command whose output nobody reads', () => {
  const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  for (const words of ['tenant list', '--help', 'migrate', 'tenant create acme --name Acme'])
    it(`does what it is to do and says nothing of it: ${words}`, async () => {
      await using place = new Workplace()
      const { code, stderr } = await place.run(words.split(' '), { output: new FailingOutput(closed) })
      assert.deepEqual([code, stderr], [0, ''])
    })

  it('ends as it would behind a pipe that has closed', async () => {
    await using place = new Workplace()
    const words = 'tenant create acme --name Acme'
    const script = `{ '${process.execPath}' '${executable}' ${words}; echo "code $?" >&2; } | true`
    const { stderr } = await place.start([], { command: ['sh', '-c', script] }).ended
    assert.equal(stderr, 'code 0\n')
    assert.match((await place.run(['tenant', 'list'])).stdout, /^acme\tAcme\t/)
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

/** With 2.4 MB: more than the pipe takes, what is read ahead of it on this side, and what the service keeps for it. */
async function fillLog(client: Client): Promise<void> {
  const path = `/nothing/${'x'.repeat(4000)}`
  for (let round = 0; round < 6; round++)
    await Promise.all(Array.from({ length: 100 }, () => client.get(path)))
}

/** Each write fails. */
class FailingOutput extends Writable {
  readonly #error: Error

  constructor(error: Error) {
    super({ autoDestroy: false })
    this.#error = error
  }

  override _write(_chunk: unknown, _encoding: string, done: (error: Error) => void): void {
    done(this.#error)
  }
}
