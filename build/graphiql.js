/** Bundles the page `/graphql/ui` into `dist/graphiql/`: the editor GraphiQL, React, and our own `assets/graphiql`. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licensesOf } from './licenses.js'

const project = join(import.meta.dirname, '..')
const sources = join(project, 'assets/graphiql')
const folder = join(project, 'dist/graphiql')

/** @param {typeof import('rolldown').rolldown} rolldown */
export async function bundleGraphiql(rolldown) {
  rmSync(folder, { recursive: true, force: true })
  const bundle = await rolldown({
    cwd: project,
    input: { graphiql: join(sources, 'page.js') },
    platform: 'browser',
    resolve: { alias: { 'react-style-singleton': join(sources, 'style-singleton.js') } },
    transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env.USE_IMPORT': '"true"' } },
    onLog: logUnlessDirective,
  })
  const { output } = await bundle.write({ dir: folder, format: 'esm', codeSplitting: false, minify: true })
  await bundle.close()
  copyFileSync(join(sources, 'index.html'), join(folder, 'index.html'))
  writeFileSync(join(folder, 'graphiql.css'), styles())
  writeFileSync(join(folder, 'LICENSES.txt'), licensesOf(output))
}

/** Drops the warnings about a hundred modules with the directive "use client", which has no effect here. */
function logUnlessDirective(level, log, next) {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') next(level, log)
}

/** @returns the style of GraphiQL without its embedded fonts, six sevenths of it, and our own, which names others */
function styles() {
  const theirs = readFileSync(fileURLToPath(import.meta.resolve('graphiql/style.css')), 'utf8')
  const ours = [join(project, 'assets/reference/sign-in.css'), join(sources, 'page.css')]
  const texts = ours.map((path) => readFileSync(path, 'utf8'))
  return [theirs.replaceAll(/@font-face\s*\{[^}]*\}\s*/g, ''), ...texts].join('')
}
