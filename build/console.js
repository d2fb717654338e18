/** Puts the console into `dist/console/`: the page, and in `assets` its scripts and its style, named by their digests. */
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { licensesOf } from './licenses.js'

const project = join(import.meta.dirname, '..')
const sources = join(project, 'assets/console')
const folder = join(project, 'dist/console')
const assets = join(folder, 'assets')

/** @param {typeof import('rolldown').rolldown} rolldown */
export async function bundleConsole(rolldown) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(assets, { recursive: true })
  const bundle = await rolldown({
    cwd: project,
    input: { main: join(sources, 'main.tsx') },
    platform: 'browser',
    tsconfig: join(sources, 'tsconfig.json'),
  })
  const { output } = await bundle.write({
    dir: assets,
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  const style = readFileSync(join(sources, 'console.css'), 'utf8')
  const styleName = `console-${hash('sha256', style, 'base64url').slice(0, 8)}.css`
  writeFileSync(join(assets, styleName), style)
  const entry = output.find((file) => 'isEntry' in file && file.isEntry)
  const page = readFileSync(join(sources, 'index.html'), 'utf8')
    .replace('console.css', styleName)
    .replace('main.js', entry.fileName)
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'LICENSES.txt'), licensesOf(output))
}
