/**
 * Bundles the service and its libraries into `dist/`: a few files start in half the time and memory of seventeen
 * hundred. This file is plain JavaScript, because `npm ci` runs it with whatever Node.js is installed.
 */
import { copyFileSync, cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleConsole } from './console.js'
import { bundleGraphiql } from './graphiql.js'
import { licensesOf } from './licenses.js'
import { bundlePanel } from './panel.js'

/** Libraries that few processes load. They stay outside of the bundle. */
const external = ['@simplewebauthn/server', 'openid-client']

const project = join(import.meta.dirname, '..')
const folder = join(project, 'dist')
const sources = join(project, 'src')
/** The folders of migrations that modules of the bundle read, relative to `src`. */
const migrationFolders = new Set()

const { rolldown } = await import('rolldown').catch(leaveUnbundled)
for (const old of globSync('*.js', { cwd: folder })) rmSync(join(folder, old))
const bundle = await rolldown({
  cwd: project,
  input: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    testing: 'src/testing.ts',
    // The files with which threads begin.
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
  // The ECMAScript modules of `graphql`, of which only the used ones are bundled. The default file has all of them.
  resolve: { alias: { graphql: 'graphql/index.mjs' } },
  // Without this value, `graphql` looks for a second copy of itself each time it checks a type.
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
})
const { output } = await bundle.write({
  dir: folder,
  format: 'esm',
  chunkFileNames: '[name].js',
  // One file contains the small modules that nearly all commands and threads need.
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

/** Copies the files of the page `/swagger` that belong to the library Swagger UI. */
function copySwaggerUi() {
  const library = dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui')))
  const copy = join(folder, 'swagger-ui')
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy)
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    copyFileSync(join(library, 'static', file), join(copy, file))
  copyFileSync(join(library, 'LICENSE'), join(copy, 'LICENSE'))
}

/**
 * A module reads migrations from the folder `migrations` beside it. In the bundle this address becomes that of a copy:
 * `dist` has copies of all these folders.
 */
function nameMigrations(code, path) {
  const beside = "new URL('migrations', import.meta.url)"
  if (!code.includes(beside)) return null
  const source = relative(sources, join(dirname(path), 'migrations')).replaceAll(sep, '/')
  migrationFolders.add(source)
  return code.replace(beside, `new URL('${source}', import.meta.url)`)
}

function copyMigrations() {
  for (const source of globSync('**/migrations', { cwd: sources })) {
    if (!migrationFolders.has(source.replaceAll(sep, '/'))) throw new Error(`No module reads src/${source}.`)
    rmSync(join(folder, source), { recursive: true, force: true })
    cpSync(join(sources, source), join(folder, source), { recursive: true })
  }
}

/**
 * Replaces imports of modules of Node.js by calls. An import reads every member of the module, which loads code that
 * few of them need, such as all of `fetch` for `node:http`: a tenth of the work of a start.
 */
function takeBuiltins(code) {
  return code.replaceAll(
    /^import (?:(\w+)|(\{.*\})) from ("node:.*");$/gm,
    (_, whole, members, name) =>
      `const ${whole ?? members.replaceAll(' as ', ': ')} = process.getBuiltinModule(${name});`,
  )
}

/** Without development dependencies there is no bundler. `npm ci`, which runs this file as `prepare`, then succeeds. */
function leaveUnbundled(error) {
  if (process.env.npm_lifecycle_event !== 'prepare') throw error
  process.exit(0)
}
