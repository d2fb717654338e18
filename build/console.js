/** Puts the console into `dist/console/`: the page, and in `assets` its scripts and its style, named by their digests. */
import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { licensesOf } from './licenses.js'

const project = join(import.meta.dirname, '..')
const sources = join(project, 'assets/console')
const folder = join(project, 'dist/console')
const assets = join(folder, 'assets')

/** Later ones may change what earlier ones say. */
const styles = ['tokens', 'base', 'control', 'page', 'table', 'list', 'record', 'shell', 'feature']

/** What comes at once, what rows and all other pages share, and those pages: few large files compress best. */
const chunks = [
  { name: 'first', tags: ['$initial'], priority: 1 },
  { name: 'rows', test: /console\/(entity|component)\// },
  { name: 'settings', test: /console\/(page\/(?!home)|embed)/ },
]

/** Calls of `h` compress better than those of the JSX runtime, which name `children` in each. */
const jsx = { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' }
const jsxImports = { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] }

/** @param {typeof import('rolldown').rolldown} rolldown */
export async function bundleConsole(rolldown) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(assets, { recursive: true })
  const bundle = await rolldown({
    cwd: project,
    input: { main: join(sources, 'main.tsx') },
    platform: 'browser',
    tsconfig: join(sources, 'tsconfig.json'),
    transform: { jsx, inject: jsxImports },
    treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
  })
  const { output } = await bundle.write({
    dir: assets,
    format: 'esm',
    minify: true,
    comments: { legal: false }, // the licences have a file of their own
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: chunks },
  })
  await bundle.close()
  const font = readFileSync(join(sources, 'font/inter.woff2'))
  const fontName = `inter-${digestOf(font)}.woff2`
  writeFileSync(join(assets, fontName), font)
  const style = styles
    .map((name) => readFileSync(join(sources, 'style', `${name}.css`), 'utf8'))
    .join('')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\n\s*/g, '\n')
    .replaceAll(/\s*([{}])\s*/g, '$1')
    .replaceAll(/([:;,])\s+/g, '$1')
    .replaceAll(';}', '}')
    .replace('/console/assets/inter.woff2', fontName)
  const styleName = `console-${digestOf(style)}.css`
  writeFileSync(join(assets, styleName), style)
  const entry = output.find((file) => 'isEntry' in file && file.isEntry)
  const page = readFileSync(join(sources, 'index.html'), 'utf8')
    .replace('console.css', styleName)
    .replace('inter.woff2', fontName)
    .replace('main.js', entry.fileName)
  writeFileSync(join(folder, 'index.html'), page)
  for (const name of readdirSync(assets))
    if (!name.endsWith('.woff2'))
      writeFileSync(join(assets, `${name}.br`), brotliCompressSync(readFileSync(join(assets, name))))
  const fontLicense = readFileSync(join(sources, 'font/OFL.txt'), 'utf8')
  writeFileSync(
    join(folder, 'LICENSES.txt'),
    `${licensesOf(output)}\n${'-'.repeat(80)}\n\nInter (OFL-1.1)\n\n${fontLicense}`,
  )
}

/** @param {string | Buffer} content */
function digestOf(content) {
  return hash('sha256', content, 'base64url').slice(0, 8)
}
