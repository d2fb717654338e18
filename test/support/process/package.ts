/** The package as it is published, and a project that has it installed. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { compilerEnvironment, compilerFlags } from './compiler-command.ts'
import { project } from './workplace.ts'

export interface Tarball {
  path: string
  integrity: string
  /** Paths inside the package, sorted. */
  files: string[]
}

interface Lock {
  lockfileVersion: number
  packages: Record<string, Locked>
}

interface Manifest {
  name: string
  version: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  [member: string]: unknown
}

interface Locked {
  version?: string
  dev?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  [member: string]: unknown
}

const leftOut = ['node_modules', '.git', 'data', 'dist', 'test', 'bench']

/**
 * Builds and packs a copy of the project, so that its own `dist` stays as it is. Types were checked before all tests,
 * and what `npm pack` would prepare is built already.
 */
export async function buildAndPack(folder: string): Promise<Tarball> {
  const copy = join(folder, 'project')
  const within = (path: string) => path.slice(project.length + 1).split(sep)[0] ?? ''
  cpSync(project, copy, { recursive: true, filter: (path) => !leftOut.includes(within(path)) })
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  await npm(copy, 'run', 'build', '--', '--noCheck', ...compilerFlags)
  const [packed] = JSON.parse(
    await npm(copy, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder),
  )
  const files = packed.files.map(({ path }: { path: string }) => path).toSorted()
  return { path: join(folder, packed.filename), integrity: packed.integrity, files }
}

/** An empty project with the package, TypeBox and the types of Node.js. */
export async function installInto(folder: string, tarball: Tarball): Promise<void> {
  const { name, dependencies, devDependencies } = own
  mkdirSync(folder, { recursive: true })
  writeJson(folder, 'package.json', {
    name: 'consumer',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: { [name]: `file:${tarball.path}`, typebox: dependencies['typebox'] },
    devDependencies: { '@types/node': devDependencies['@types/node'] },
  })
  await installFrom(folder, tarball)
}

/**
 * Installs what the manifest in the folder names. Everything has the version that the project's own lock gives it, so
 * that what npm keeps from installing the project is all it needs. Packages that the project has installed are copied:
 * npm needs three times as long to unpack them again. No script runs: that of `node` downloads it.
 */
export async function installFrom(folder: string, tarball: Tarball): Promise<void> {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const lock: Lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'))
  const { name, version, license, dependencies, bin, engines } = own
  const resolved = manifest.dependencies[name] ?? ''
  const packed = { version, resolved, integrity: tarball.integrity, license, dependencies, bin, engines }
  const development = closureIn(lock, Object.keys(manifest.devDependencies))
  const others = Object.entries(lock.packages).filter(([path]) => path !== '')
  const forRunning = others.filter(([, { dev }]) => dev !== true)
  const packages = {
    '': manifest,
    [`node_modules/${name}`]: packed,
    ...Object.fromEntries(others.filter(([path, { dev }]) => dev !== true || development.has(path))),
  }
  const { lockfileVersion } = lock
  writeJson(folder, 'package-lock.json', {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion,
    packages,
  })
  for (const [path] of forRunning) copyInstalled(path, folder)
  await npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts')
}

/** An optional package may not be there. */
function copyInstalled(path: string, folder: string): void {
  const installed = join(project, path)
  if (existsSync(installed)) cpSync(installed, join(folder, path), { recursive: true })
}

const own: Manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))

/** Where the packages are that this one and the given ones need to run. An optional one may not be there. */
export function atRunTime(development: readonly string[]): string[] {
  const lock: Lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'))
  const names = [...Object.keys(own.dependencies), ...development]
  return [...closureIn(lock, names)].filter((path) => existsSync(join(project, path)))
}

/** Paths in the lock of packages and all that they bring, none of which is nested in another. */
function closureIn({ packages }: Lock, names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const add = (name: string): void => {
    const path = `node_modules/${name}`
    const locked = packages[path]
    if (locked === undefined || found.has(path)) return
    found.add(path)
    for (const each of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })) add(each)
  }
  for (const name of names) add(name)
  return found
}

function writeJson(folder: string, file: string, content: object): void {
  writeFileSync(join(folder, file), JSON.stringify(content))
}

/** @returns what it wrote to standard output */
export async function npm(folder: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', words, {
    cwd: folder,
    env: npmEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/** Runs npm with this Node.js, without the variables that an outer npm or test run has set for itself. */
export function npmEnvironment(): Record<string, string> {
  const ofOuter = /^(npm_package_|npm_lifecycle_|npm_config_(local_)?prefix$|INIT_CWD$|NODE_TEST_CONTEXT$)/
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !ofOuter.test(name),
  )
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const set = { ...compilerEnvironment, PATH: path }
  return { ...Object.fromEntries(kept), ...set } as Record<string, string> // the undefined ones are gone
}
