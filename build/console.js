/** Bundles the console into `dist/console/`: the page, and in `assets` its scripts and style, named by their digests. */
import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { licensesOf } from './licenses.js'

const project = join(import.meta.dirname, '..')
const sources = join(project, 'assets/console')
const folder = join(project, 'dist/console')
const assets = join(folder, 'assets')
const componentsFolder = join(project, 'dist/console-components')

/** The style sheets in their order: rules of later ones may override those of earlier ones. */
const styles = ['tokens', 'base', 'control', 'page', 'table', 'list', 'record', 'shell', 'feature']

/** The scripts: one for the first page, and one for all other pages, because large files compress best. */
const chunks = [
  { name: 'first', tags: ['$initial'], priority: 1 },
  { name: 'later', test: /console\/(entity|component|page|embed|later)/ },
]

/**
 * The options of Terser, which runs before the bundler's own minifier and saves 0.9 kB after compression. Many options
 * are off, because code with repetitions compresses better than shorter code.
 */
const compress = {
  ecma: 2022,
  module: true,
  passes: 2,
  pure_getters: true,
  booleans: false,
  conditionals: false,
  hoist_funs: true,
  if_return: false,
  keep_fargs: false,
  lhs_constants: false,
  negate_iife: false,
  sequences: false,
}

/** Postfix bits and direct codes of Brotli's distances. Each file is compressed with all, and the smallest is kept. */
const distances = [
  [0, 0],
  [0, 1],
  [0, 15],
  [1, 0],
  [2, 4],
]

/** JSX becomes calls of `h`, which compress better than those of the JSX runtime: these repeat the word `children`. */
const jsx = { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' }
const jsxImports = { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] }

/** @param {typeof import('rolldown').rolldown} rolldown */
export async function bundleConsole(rolldown) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(assets, { recursive: true })
  const { output, entry } = await writeScripts(rolldown, { main: join(sources, 'main.tsx') }, assets)
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
    .replaceAll(/ ([>~]) /g, '$1')
    .replaceAll(/(?<![\d.])0\.(?=\d)/g, '.')
    .replaceAll(';}', '}')
    .replace('/console/assets/inter.woff2', fontName)
  const styleName = `console-${digestOf(style)}.css`
  writeFileSync(join(assets, styleName), style)
  const page = readFileSync(join(sources, 'index.html'), 'utf8')
    .replace('console.css', styleName)
    .replace('inter.woff2', fontName)
    .replace('main.js', entry)
  writeFileSync(join(folder, 'index.html'), page)
  for (const name of readdirSync(assets))
    if (!name.endsWith('.woff2'))
      writeFileSync(join(assets, `${name}.br`), compressed(readFileSync(join(assets, name))))
  const fontLicense = readFileSync(join(sources, 'font/OFL.txt'), 'utf8')
  writeFileSync(
    join(folder, 'LICENSES.txt'),
    `${licensesOf(output)}\n${'-'.repeat(80)}\n\nInter (OFL-1.1)\n\n${fontLicense}`,
  )
  await bundleComponents(rolldown)
}

/** @param {Buffer} content */
function compressed(content) {
  const [smallest] = distances
    .map(([bits, direct]) =>
      brotliCompressSync(content, {
        params: { [constants.BROTLI_PARAM_NPOSTFIX]: bits, [constants.BROTLI_PARAM_NDIRECT]: direct },
      }),
    )
    .toSorted((one, other) => one.length - other.length)
  return smallest
}

/**
 * Bundles the page `/console/components`, the gallery of components in development. Its script is separate, so that the
 * console does not load it.
 * @param {typeof import('rolldown').rolldown} rolldown
 */
async function bundleComponents(rolldown) {
  rmSync(componentsFolder, { recursive: true, force: true })
  const target = join(componentsFolder, 'assets')
  mkdirSync(target, { recursive: true })
  const { entry } = await writeScripts(rolldown, { components: join(sources, 'gallery/main.tsx') }, target)
  const style = readFileSync(join(sources, 'gallery/gallery.css'), 'utf8')
  const styleName = `components-${digestOf(style)}.css`
  writeFileSync(join(target, styleName), style)
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
    .replace(/main-[\w-]+\.js/, entry)
    .replace('</head>', `  <link rel="stylesheet" href="/console/assets/${styleName}">\n  </head>`)
  writeFileSync(join(componentsFolder, 'index.html'), page)
}

/**
 * Bundles scripts for browsers.
 * @param {typeof import('rolldown').rolldown} rolldown
 * @param {Record<string, string>} input the entry files by name
 * @param {string} dir
 */
async function writeScripts(rolldown, input, dir) {
  const { minify } = await import('terser')
  const smaller = {
    name: 'terser',
    /** @param {string} code */
    async renderChunk(code) {
      const format = { ecma: 2022, quote_style: 2 }
      const { code: made = code } = await minify(code, { module: true, ecma: 2022, compress, format })
      return { code: made, map: null }
    },
  }
  const bundle = await rolldown({
    cwd: project,
    input,
    platform: 'browser',
    plugins: [smaller],
    tsconfig: join(sources, 'tsconfig.json'),
    transform: { jsx, inject: jsxImports },
    treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
    checks: { pluginTimings: false },
  })
  const { output } = await bundle.write({
    dir,
    format: 'esm',
    minify: true,
    comments: { legal: false, annotation: false }, // the licences have a file of their own
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: chunks },
  })
  await bundle.close()
  const [entry] = output.filter((file) => 'isEntry' in file && file.isEntry)
  return { output, entry: entry.fileName }
}

/** @param {string | Buffer} content */
function digestOf(content) {
  return hash('sha256', content, 'base64url').slice(0, 8)
}
