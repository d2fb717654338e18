/**
 * Puts the service and its libraries into `dist/`: a few files start in half the time and memory of seventeen
 * hundred. Plain JavaScript, because `npm ci` runs it by whatever Node.js is there.
 */
import { copyFileSync, cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleConsole } from './console.js'
import { bundleGraphiql } from './graphiql.js'
import { licensesOf } from './licenses.js'
import { bundlePanel } from './panel.js'

/** For few to load. */
const external = ['@simplewebauthn/server', 'openid-client']

const project = join(import.meta.dirname, '..')
const folder = join(project, 'dist')
const sources = join(project, 'src')
/** The folders of migrations that modules of the bundle read, from `src`. */
const named = new Set()

const { rolldown } = await import('rolldown').catch(leaveUnbundled)
for (const old of globSync('*.js', { cwd: folder })) rmSync(join(folder, old))
const bundle = await rolldown({
  cwd: project,
  input: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    testing: 'src/testing.ts',
    // Threads of their own begin with these.
    'scan-worker': 'src/database/sqlite/scan-worker.ts',
    'checkpoint-worker': 'src/database/sqlite/checkpoint-worker.ts',
    'copy-worker': 'src/database/sqlite/copy-worker.ts',
    'rewrite-worker': 'src/database/sqlite/rewrite-worker.ts',
  },
  platform: 'node',
  external,
  plugins: [
    { name: 'builtins', renderChunk: takeBuiltins },
    { name: 'migrations', transform: nameMigrations },
  ],
  // Its modules, of which only those that are used come along: what Node.js loads by itself comes whole.
  resolve: { alias: { graphql: 'graphql/index.mjs' } },
  // `graphql` asks for it as it loads: otherwise it looks for a second copy of itself at each check of a type.
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
})
const { output } = await bundle.write({
  dir: folder,
  format: 'esm',
  chunkFileNames: '[name].js',
  // Small modules that nearly all commands and threads need, in one file.
  codeSplitting: { groups: [{ name: 'common', test: /src.database.(fold-text|lru-map|thrown)\.ts$/ }] },
  keepNames: true,
})
await bundle.close()
writeFileSync(join(folder, 'LICENSES.txt'), licensesOf(output, ['lucide']))
copyMigrations()
await bundleGraphiql(rolldown)
await bundleConsole(rolldown)
await bundlePanel(rolldown)
copySwaggerUi()

/** The files of the page `/swagger` that are not ours. */
function copySwaggerUi() {
  const library = dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui')))
  const copy = join(folder, 'swagger-ui')
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy)
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    copyFileSync(join(library, 'static', file), join(copy, file))
  copyFileSync(join(library, 'LICENSE'), join(copy, 'LICENSE'))
}

/** A module reads the migrations in the folder beside it: the bundle is above the copies of all these folders. */
function nameMigrations(code, path) {
  const beside = "new URL('migrations', import.meta.url)"
  if (!code.includes(beside)) return null
  const source = relative(sources, join(dirname(path), 'migrations')).replaceAll(sep, '/')
  named.add(source)
  return code.replace(beside, `new URL('${source}', import.meta.url)`)
}

function copyMigrations() {
  for (const source of globSync('**/migrations', { cwd: sources })) {
    if (!named.has(source.replaceAll(sep, '/'))) throw new Error(`No module reads src/${source}.`)
    rmSync(join(folder, source), { recursive: true, force: true })
    cpSync(join(sources, source), join(folder, source), { recursive: true })
  }
}

/**
 * To import a module of Node.js as ECMAScript reads each of its members, which loads what few of them need: all of
 * `fetch` for `node:http`, a tenth of the work at a start.
 */
function takeBuiltins(code) {
  return code.replaceAll(
    /^import (?:(\w+)|(\{.*\})) from ("node:.*");$/gm,
    (_, whole, members, name) =>
      `const ${whole ?? members.replaceAll(' as ', ': ')} = process.getBuiltinModule(${name});`,
  )
}

/** Where the development dependencies are left out there is no bundler, and `npm ci` does not fail over it. */
function leaveUnbundled(error) {
  if (process.env.npm_lifecycle_event !== 'prepare') throw error
  process.exit(0)
}
