import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { project, Workplace } from '../support/process/workplace.ts'

describe('The command line', () => {
  const place = new Workplace()
  after(() => place[Symbol.asyncDispose]())

  it('lists every command with --help, -h and help', async () => {
    const [long, short, word] = await Promise.all([
      place.run(['--help']),
      place.run(['-h']),
      place.run(['help']),
    ])
    assert.equal(long.code, 0)
    assert.equal(long.stderr, '')
    for (const name of ['serve', 'migrate', 'keys rotate', 'user create-admin', 'tenant list']) {
      assert.match(long.stdout, new RegExp(`^ {2}${name} `, 'm'))
    }
    assert.match(long.stdout, /^ {2}tenant create <id> /m)
    assert.match(long.stdout, /^ {2}tenant deactivate <id> /m)
    assert.equal(short.stdout, long.stdout)
    assert.equal(word.stdout, long.stdout)
  })

  it('explains one command and its options, however it is asked', async () => {
    const asked = [
      ['tenant', 'create', '--help'],
      ['tenant', 'create', 'acme', '--name', 'Acme', '-h'],
      ['help', 'tenant', 'create'],
    ]
    const answers = await Promise.all(asked.map((words) => place.run(words)))
    for (const { code, stdout } of answers) {
      assert.equal(code, 0)
      assert.match(stdout, /^Usage: tenantry tenant create <id> \[options\]$/m)
      for (const option of ['name', 'subdomain', 'plan', 'connection-string']) {
        assert.match(stdout, new RegExp(`^ {2}--${option} <value> `, 'm'))
      }
    }
  })

  it('lists the commands of one family', async () => {
    const { code, stdout } = await place.run(['tenant', '--help'])
    assert.equal(code, 0)
    const listed = stdout.split('\n').filter((line) => line.startsWith('  tenant '))
    assert.deepEqual(
      listed.map((line) => line.trim().split(/\s{2,}/)[0]),
      [
        'tenant list',
        'tenant create <id>',
        'tenant move <id>',
        'tenant export <id>',
        'tenant import <file>',
        'tenant database <id>',
        'tenant deactivate <id>',
        'tenant delete <id>',
      ],
    )
  })

  it('tells its version with --version and -v', async () => {
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    for (const words of [['--version'], ['-v'], ['tenant', 'list', '--version']]) {
      const { code, stdout } = await place.run(words)
      assert.deepEqual({ code, stdout }, { code: 0, stdout: `${version}\n` })
    }
  })

  const wrongCalls: [call: string, complaint: RegExp][] = [
    ['bogus', /There is no command "bogus"/],
    ['constructor', /There is no command "constructor"/],
    ['help bogus', /There is no command "bogus"/],
    [
      'tenant',
      /There is no command "tenant"; there is tenant list, tenant create, tenant move, tenant export, tenant import, tenant database, tenant deactivate, tenant delete/,
    ],
    ['tenant rename acme', /There is no command "tenant rename acme"/],
    ['--bogus', /Unknown option '--bogus'/],
    ['serve --port', /Unknown option '--port'/],
    ['serve now', /Too many arguments: now/],
    ['tenant create', /<id> is missing/],
    ['tenant create acme', /--name is missing/],
    ['tenant create acme --name', /Option '--name <value>' argument missing/],
    ['tenant create acme --name --plan pro', /Option '--name' argument is ambiguous/],
    ['tenant create acme other --name Acme', /Too many arguments: other/],
    ['tenant deactivate', /<id> is missing/],
    ['tenant delete', /<id> is missing/],
    ['tenant delete acme', /--erase is required/],
    ['user create-admin --email a@example.com', /--username is missing/],
    ['user create-admin --username ada', /--email is missing/],
    ['user create-admin --username ada --email a@example.com', /Password: standard input is empty/],
    ['migrate --parallel 0', /--parallel must be a whole number from 1 to 64/],
    ['migrate --dry-run=yes', /Option '--dry-run' does not take an argument/],
    ['keys rotate --force=yes', /Unknown option '--force'/],
  ]
  for (const [call, complaint] of wrongCalls) {
    it(`answers "${call}" with one clear line and exit code 2`, async () => {
      const { code, stdout, stderr } = await place.run(call.split(' '))
      assert.equal(code, 2)
      assert.equal(stdout, '')
      assert.match(stderr, /^tenantry: [^\n]+ See tenantry --help\.\n$/)
      assert.match(stderr, complaint)
    })
  }
})
