/** The peers' packages and servers, in a folder of the cache: they are no dependencies of this project. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const source = import.meta.dirname
const manifest = join(source, 'package.json')
/** No script of a package runs. Some name an older Node.js, of which npm would warn at length. */
const install = [
  'install',
  '--no-package-lock',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

export const peersFolder = resolve(source, '../../node_modules/.cache/peers')

/** Of the peers' packages, as they are installed. */
export function versionOf(name: string): string {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  )
  const version = dependencies[name]
  if (version === undefined) throw new Error(`${name} is not in ${manifest}.`)
  return version
}

/** Takes minutes and one gigabyte when it is called first, and nothing afterwards. */
export function preparePeers(): void {
  mkdirSync(peersFolder, { recursive: true })
  once('installed', readFileSync(manifest, 'utf8'), () => {
    cpSync(manifest, join(peersFolder, 'package.json'))
    execFileSync('npm', install, { cwd: peersFolder, stdio: ['ignore', 'ignore', 'inherit'] })
  })
  cpSync(join(source, 'servers'), peersFolder, { recursive: true })
}

/** Does what has been done for `key` only once; a key without an entry, or another one, is done anew. */
export function once(name: string, key: string, work: () => void): void {
  const file = join(peersFolder, `.${name}`)
  if (existsSync(file) && readFileSync(file, 'utf8') === key) return
  rmSync(file, { force: true })
  process.stderr.write(`${name} …\n`)
  work()
  writeFileSync(file, key)
}
