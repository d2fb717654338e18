/**
 * Bundles what an application's own panels of the console load into `dist/console-panel/`: a classic script, and the
 * style of the console. A panel is a page of the application in a frame of the console.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const project = join(import.meta.dirname, '..')
const sources = join(project, 'assets/console-panel')
const console = join(project, 'assets/console')
const folder = join(project, 'dist/console-panel')

/** The style sheets of the console for text and controls. */
const styles = ['tokens', 'base', 'control', 'page', 'table'].map((name) =>
  join(console, 'style', `${name}.css`),
)

/** @param {typeof import('rolldown').rolldown} rolldown */
export async function bundlePanel(rolldown) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    cwd: project,
    input: { panel: join(sources, 'panel.ts') },
    platform: 'browser',
    tsconfig: join(sources, 'tsconfig.json'),
  })
  await bundle.write({ dir: folder, format: 'iife', minify: true, entryFileNames: '[name].js' })
  await bundle.close()
  const style = [...styles, join(sources, 'panel.css')].map((path) => readFileSync(path, 'utf8')).join('')
  writeFileSync(join(folder, 'panel.css'), style.replace('/console/assets/inter.woff2', 'inter.woff2'))
  copyFileSync(join(console, 'font/inter.woff2'), join(folder, 'inter.woff2'))
}
