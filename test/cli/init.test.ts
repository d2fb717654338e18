/** `tenantry init`: the folder that it makes. That the application runs is tested with the package. */
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { validate } from 'dockerfile-utils'
import { loadConfig } from '../../src/core/settings/config.ts'
import { ownEntry } from '../database/schema/application.ts'
import { project, Workplace } from '../support/process/workplace.ts'

describe('tenantry init', () => {
  const place = new Workplace()
  const folder = join(place.folder, 'apps/shop')
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  let printed = ''
  before(async () => {
    // A broken application beside it does not matter.
    writeFileSync(join(place.folder, 'tenantry.config.ts'), "throw new Error('loaded')")
    const { code, stdout, stderr } = await place.run(['init', 'apps/shop'])
    assert.deepEqual([code, stderr], [0, ''])
    printed = stdout
  })
  after(() => place[Symbol.asyncDispose]())

  it('writes all files of an application, and says how to start it', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
    assert.deepEqual(files, [
      '.dockerignore',
      '.env',
      '.gitignore',
      'Dockerfile',
      'README.md',
      'migrations',
      'migrations/0001-create-note.sql',
      'migrations/snapshot.json',
      'note.test.ts',
      'note.ts',
      'package.json',
      'tenantry.config.ts',
      'tsconfig.json',
      'vendor',
    ])
    assert.equal(
      printed,
      `The application shop is in apps/shop. To start it:
  cd apps/shop
  npm pack ${relative(folder, project)} --pack-destination vendor
  npm install
  npm start
`,
    )
    assert.ok(!existsSync(join(place.folder, 'data')))
  })

  it('gives it its name, its versions and the copy of the package that runs', () => {
    const own = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    const { name, dependencies, devDependencies, engines } = JSON.parse(read('package.json'))
    assert.equal(name, 'shop')
    assert.match(read('README.md'), /^# shop\n/)
    assert.doesNotMatch(read('README.md'), /my-app/)
    assert.deepEqual(engines, own.engines)
    for (const [each, version] of Object.entries(devDependencies))
      assert.equal(version, own.devDependencies[each], each)
    assert.equal(dependencies.tenantry, `file:vendor/tenantry-${own.version}.tgz`)
    const template = JSON.parse(readFileSync(join(project, 'templates/application/package.json'), 'utf8'))
    assert.equal(template.dependencies.tenantry, own.version)
    assert.match(read('Dockerfile'), new RegExp(`^FROM node:${devDependencies.node}-slim$`, 'm'))
  })

  it('names the packages that the documents import, in the versions of the package itself', () => {
    const own = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    const { dependencies } = JSON.parse(read('package.json'))
    const imported = new Set<string>()
    for (const file of globSync('docs/**/*.md', { cwd: project })) {
      const text = readFileSync(join(project, file), 'utf8')
      for (const [, name = ''] of text.matchAll(/^\s*import [^\n]*from '([^'.][^']*)'/gm)) imported.add(name)
    }
    // Of programs that call the service: they are no applications on it.
    const foreign = (name: string) => name.startsWith('node:') || name === 'graphql-ws'
    const needed = [...imported].filter((name) => !foreign(name)).map((name) => name.split('/')[0] ?? '')
    assert.deepEqual([...new Set(needed)].toSorted(), Object.keys(dependencies).toSorted())
    for (const name of needed.filter((each) => each !== own.name))
      assert.equal(dependencies[name], own.dependencies[name], name)
  })

  it('writes settings that a start accepts, readable by their owner only', () => {
    const { port, masterKey } = loadConfig({}, folder, 'refuse')
    assert.deepEqual([port, masterKey.length], [3000, 32])
    assert.equal(statSync(join(folder, '.env')).mode & 0o077, 0)
    assert.match(read('.gitignore'), /^\.env$/m)
    assert.match(read('.dockerignore'), /^\.env$/m)
  })

  it('writes a Dockerfile that its linter accepts, and the migration of its entity', async () => {
    assert.deepEqual(validate(read('Dockerfile')), [])
    const modules = join(folder, 'node_modules/tenantry')
    mkdirSync(modules, { recursive: true })
    writeFileSync(join(modules, 'package.json'), '{ "type": "module", "exports": "./tenantry.js" }')
    writeFileSync(join(modules, 'tenantry.js'), `export * from '${ownEntry}'`)
    const { code, stderr } = await place.run(['migrate', 'check'], { folder })
    assert.deepEqual([code, stderr], [0, ''])
  })

  const refused: [argument: string, complaint: RegExp][] = [
    ['apps/shop', /shop is not empty\./],
    ['file', /file is a file\./],
    [
      'My App',
      /^tenantry: "My App" is no name: write lower-case letters, digits and hyphens, such as my-app\./,
    ],
    ['tenantry', /^tenantry: tenantry is the name of a package that the application needs/],
  ]
  for (const [argument, complaint] of refused) {
    it(`writes nothing for ${argument}`, async () => {
      if (argument === 'file') writeFileSync(join(place.folder, 'file'), '')
      const present = readdirSync(place.folder).toSorted()
      const { code, stdout, stderr } = await place.run(['init', argument])
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, complaint)
      assert.deepEqual(readdirSync(place.folder).toSorted(), present)
    })
  }

  it('writes what pnpm and Yarn need, for them only', async () => {
    const filesOf = async (name: string, agent: string) => {
      const settings = { npm_config_user_agent: agent }
      const { code, stdout } = await place.run(['init', name], { settings })
      assert.equal(code, 0)
      const manifest = JSON.parse(readFileSync(join(place.folder, name, 'package.json'), 'utf8'))
      const own = ['.yarnrc.yml', 'pnpm-workspace.yaml'].filter((file) =>
        existsSync(join(place.folder, name, file)),
      )
      return { steps: stdout.split('\n').slice(-3, -1), own, node: 'node' in manifest.devDependencies }
    }
    assert.deepEqual(await filesOf('by-pnpm', 'pnpm/12.21.0 npm/? node/v26.10.0 linux x64'), {
      steps: ['  pnpm install', '  pnpm start'],
      own: ['pnpm-workspace.yaml'],
      node: true,
    })
    assert.deepEqual(await filesOf('by-yarn', 'yarn/4.18.1 npm/? node/v26.10.0 linux x64'), {
      steps: ['  yarn install', '  yarn start'],
      own: ['.yarnrc.yml'],
      node: false,
    })
    assert.deepEqual(await filesOf('by-npm', 'npm/11.19.1 node/v26.10.0 linux x64'), {
      steps: ['  npm install', '  npm start'],
      own: [],
      node: true,
    })
  })

  it('takes an empty folder, also the working one', async () => {
    const empty = join(place.folder, 'empty')
    mkdirSync(empty)
    const { code, stdout } = await place.run(['init', '.'], { folder: empty })
    assert.equal(code, 0)
    assert.match(
      stdout,
      /^The application empty is in this folder\. To start it:\n {2}npm pack .+\n {2}npm install\n/,
    )
  })
})
