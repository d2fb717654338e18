/**
 * The Chromium of the tests: the one of `CHROMIUM_PATH`, or of a development dependency, so that every machine tries the
 * same, or of the system.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Chromium {
  path: string
  /** Beside that of this process. */
  environment: Record<string, string>
}

const project = resolve(import.meta.dirname, '../../..')
const dependency = resolve(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')
const { version }: { version: string } = JSON.parse(readFileSync(join(dependency, 'package.json'), 'utf8'))
const unpacked = join(project, 'node_modules', '.cache', `chromium-${version}`)

/** The shell without a screen takes half the processor time of the others. */
const ofSystem = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** @returns `null` where there is none */
export async function findChromium(): Promise<Chromium | null> {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined) return { path: given, environment: {} }
  const ownChromium = await unpack()
  if (ownChromium !== null) return ownChromium
  const path = ofSystem.find(existsSync)
  return path === undefined ? null : { path, environment: {} }
}

/** Once for each version. @returns `null` where it does not run: elsewhere than on Linux with glibc on x64 */
async function unpack(): Promise<Chromium | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  if (existsSync(unpacked)) return inFolder(unpacked)
  mkdirSync(dirname(unpacked), { recursive: true })
  const folder = mkdtempSync(`${unpacked}-`)
  try {
    await inflateAll(folder)
    if (!runs(inFolder(folder))) return null
    if (!existsSync(unpacked)) renameSync(folder, unpacked)
    return inFolder(unpacked)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function runs({ path, environment }: Chromium): boolean {
  return spawnSync(path, ['--version'], { env: { ...process.env, ...environment } }).status === 0
}

/** The dependency unpacks into the folder for temporary files; libraries and fonts are for machines without. */
async function inflateAll(folder: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium')
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  const files = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br']
  const inflated = files.map((file) => inflate(join(dependency, 'bin', file)))
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  await Promise.all(inflated)
}

function inFolder(folder: string): Chromium {
  return {
    path: join(folder, 'chromium'),
    environment: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: fontsOf(folder) },
  }
}

/** A page is as wide on every machine as its fonts. */
function fontsOf(folder: string): string {
  const path = join(folder, 'fonts.conf')
  const content = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts', 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts', 'cache')}</cachedir>
</fontconfig>
`
  if (!existsSync(path) || readFileSync(path, 'utf8') !== content) writeFileSync(path, content)
  return path
}
