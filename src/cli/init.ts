/** `tenantry init`: a new application in a folder, from the files in `templates/application`. */
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder, version } from '../database/version.ts'
import { type Arguments, print, UsageError } from './command.ts'
import { findInstaller, foreignFiles } from './installer.ts'
import type { Surroundings } from './surroundings.ts'

const template = fileURLToPath(new URL('templates/application/', packageFolder))
/** npm leaves out or renames files of these names, so that the template has them without the dot. */
const hidden = ['env', 'gitignore', 'dockerignore', 'yarnrc.yml']
const templateName = 'my-app'

/** @returns the exit code 0 @throws UsageError */
export async function init(
  { argument }: Arguments,
  { environment, folder: workingFolder, output }: Surroundings,
): Promise<number> {
  const folder = resolve(workingFolder, argument)
  const name = basename(folder)
  const manifest = JSON.parse(readFileSync(join(template, 'package.json'), 'utf8')) as Manifest // it is ours
  requireName(name, Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
  requireEmpty(folder)
  mkdirSync(folder, { recursive: true })
  const installer = findInstaller(environment)
  const leftOut = foreignFiles(installer)
  for (const file of readdirSync(template, { recursive: true, encoding: 'utf8' }))
    if (statSync(join(template, file)).isFile() && !leftOut.includes(file)) writeFile(folder, file, name)
  const { dependency, before } = packageFor(folder)
  manifest.name = name
  manifest.dependencies['tenantry'] = dependency
  if (!installer.bringsNode) delete manifest.devDependencies['node']
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const place = relative(workingFolder, folder)
  print(output, `The application ${name} is in ${place || 'this folder'}. To start it:`)
  const steps = [
    ...(place === '' ? [] : [`cd ${place}`]),
    ...before,
    `${installer.name} install`,
    `${installer.name} start`,
  ]
  print(output, steps.map((step) => `  ${step}`).join('\n'))
  return 0
}

interface Manifest {
  name: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const maxNameLength = 100

/** The name must be one that npm allows, and not that of a package on which the application depends. */
function requireName(name: string, dependencies: readonly string[]): void {
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name) || name.length > maxNameLength)
    throw new UsageError(
      `"${name}" is no name: write lower-case letters, digits and hyphens, such as my-app.`,
    )
  if (['node_modules', ...dependencies].includes(name))
    throw new UsageError(`${name} is the name of a package that the application needs: choose another one.`)
}

function requireEmpty(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file.`)
  if (readdirSync(folder).length > 0) throw new UsageError(`${folder} is not empty.`)
}

function writeFile(folder: string, file: string, name: string): void {
  const path = join(folder, hidden.includes(file) ? `.${file}` : file)
  const text = readFileSync(join(template, file), 'utf8').replaceAll(templateName, name)
  mkdirSync(dirname(path), { recursive: true })
  const isSecret = file === 'env'
  const content = isSecret ? text.replace(/^MASTER_KEY=$/m, `MASTER_KEY=${newMasterKey()}`) : text
  writeFileSync(path, content, isSecret ? { mode: 0o600 } : {})
}

function newMasterKey(): string {
  return randomBytes(32).toString('base64')
}

interface PackageSource {
  /** The version or address of the package in `package.json`. */
  dependency: string
  /** Commands that have to run before `npm install`. */
  before: string[]
}

/**
 * Where npm gets this copy of the package: its version in the registry, or a tarball inside the folder, because an
 * image is built from the folder alone. The tarball is the one from which this copy was installed, or is packed from
 * the checkout that runs.
 */
function packageFor(folder: string): PackageSource {
  const own = resolve(fileURLToPath(packageFolder))
  const modules = dirname(own)
  const isCheckout = basename(modules) !== 'node_modules'
  const installed = isCheckout ? null : installedTarball(modules)
  if (!isCheckout && installed === null) return { dependency: version, before: [] }
  const vendor = join(folder, 'vendor')
  mkdirSync(vendor)
  if (installed !== null) {
    copyFileSync(installed, join(vendor, basename(installed)))
    return { dependency: `file:vendor/${basename(installed)}`, before: [] }
  }
  const pack = `npm pack ${relative(folder, own)} --pack-destination vendor`
  return { dependency: `file:vendor/tenantry-${version}.tgz`, before: [pack] }
}

/** @returns the tarball from which npm has installed this package; `null` if it came from the registry */
function installedTarball(modules: string): string | null {
  const path = join(modules, '.package-lock.json')
  if (!existsSync(path)) return null
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages?: Locked } // npm writes it
  const { resolved = '' } = packages?.['node_modules/tenantry'] ?? {}
  if (!/^file:.*\.tgz$/.test(resolved)) return null
  const tarball = resolve(dirname(modules), resolved.slice('file:'.length))
  return existsSync(tarball) ? tarball : null
}

type Locked = Record<string, { resolved?: string }>
