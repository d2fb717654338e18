import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { executable, type Running, Workplace } from '../support/process/workplace.ts'

const hasTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

describe('On a terminal', {
  skip: hasTerminal ? false : 'there is no script(1) of util-linux to make one',
}, () => {
  it('the log is readable, every line has its time in one form, and Ctrl-C stops the service', async () => {
    await using place = new Workplace({ PORT: '0' })
    const running = onTerminal(place, 'serve')
    const [, url] = await running.waitFor(/Tenantry listens on (\S+)\s/)
    await running.waitFor(/INFO.*: .*listening/)
    const asked = 20
    await Promise.all(Array.from({ length: asked }, () => fetch(`${url}/health/live`)))
    await running.waitFor(new RegExp(`(?:path: [^\\n]*"/health/live"[^]*?){${asked}}`))
    running.process.stdin.write('\x03')
    const { code, stdout } = await running.ended
    assert.equal(code, 0)
    assert.match(stdout, /stopping[\s\S]*stopped/)
    assert.doesNotMatch(stdout, /^\{/m)
    const lines = stripVTControlCharacters(stdout.replace('^C', '')).split(/\r?\n/)
    const timed = lines.filter((line) => /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] INFO: /.test(line))
    assert.equal(timed.filter((line) => line.endsWith(': request')).length, asked)
    assert.ok(timed.some((line) => line.endsWith(': listening')))
    assert.deepEqual(
      lines.filter((line) => /INFO|"level"|"time"/.test(line)),
      timed,
    )
  })

  it('a password is asked for and not shown', async () => {
    await using place = new Workplace()
    const running = onTerminal(place, 'user create-admin --username ada --email ada@example.com')
    await running.waitFor(/Password: /)
    running.process.stdin.write('Sesame@123\r')
    const { code, stdout } = await running.ended
    assert.equal(code, 0, stdout)
    assert.match(stdout, /Administrator ada of default is created/)
    assert.doesNotMatch(stdout, /Sesame/)
  })

  it('a password that is not given ends the command', async () => {
    await using place = new Workplace()
    const running = onTerminal(place, 'user create-admin --username ada --email ada@example.com')
    await running.waitFor(/Password: /)
    running.process.stdin.write('\x03')
    const { code, stdout } = await running.ended
    assert.equal(code, 2, stdout)
    assert.match(stdout, /tenantry: Password: standard input is empty\./)
  })
})

describe('For a terminal', () => {
  it('the list of tenants stands in columns', async () => {
    await using place = new Workplace()
    const words = ['tenant', 'create', 'a-long-name', '--name', '東京 Ltd', '--subdomain', 'tokyo']
    assert.equal((await place.run(words)).code, 0)
    // An earlier version has accepted such a name.
    const file = new DatabaseSync(join(place.folder, 'data/tenantry.db'))
    file.exec("UPDATE tenant SET name = '東京 ' || char(27) || '[31mLtd' WHERE id = 'a-long-name'")
    file.close()
    const output = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true })
    assert.equal((await place.run(['tenant', 'list'], { output })).code, 0)
    assert.equal(
      output.read(),
      `a-long-name  東京 [31mLtd  tokyo  active  shared
default      Default       -      active  shared
`,
    )
  })
})

function onTerminal(place: Workplace, words: string): Running {
  const call = `exec '${process.execPath}' '${executable}' ${words}`
  return place.start([], { command: ['script', '--quiet', '--return', '--command', call, '/dev/null'] })
}
