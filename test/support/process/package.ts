/** The package as it is published, and a project that has it installed. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'
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

interface Locked {
  version?: string
  dev?: boolean
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
  await npm(copy, 'run', 'build', '--', '--noCheck')
  const [packed] = JSON.parse(
    await npm(copy, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder),
  )
  const files = packed.files.map(({ path }: { path: string }) => path).toSorted()
  return { path: join(folder, packed.filename), integrity: packed.integrity, files }
}

/**
 * An empty project with the package, TypeBox and the types of Node.js. Everything has the version that the
 * project's own lock gives it, so that what npm keeps from installing the project is all it needs.
 */
export async function installInto(folder: string, tarball: Tarball): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const lock: Lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'))
  const { name, version, license, dependencies, bin, engines } = manifest
  const resolved = `file:${tarball.path}`
  const root = {
    name: 'consumer',
    version: '1.0.0',
    dependencies: { [name]: resolved, typebox: dependencies.typebox },
    devDependencies: { '@types/node': manifest.devDependencies['@types/node'] },
  }
  const types = ['node_modules/@types/node', 'node_modules/undici-types']
  const wanted = ([path, { dev }]: [string, Locked]) => path !== '' && (dev !== true || types.includes(path))
  const packages = {
    '': root,
    [`node_modules/${name}`]: {
      version,
      resolved,
      integrity: tarball.integrity,
      license,
      dependencies,
      bin,
      engines,
    },
    ...Object.fromEntries(Object.entries(lock.packages).filter(wanted)),
  }
  mkdirSync(folder, { recursive: true })
  const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content))
  write('package.json', { ...root, private: true, type: 'module' })
  write('package-lock.json', {
    name: root.name,
    version: root.version,
    lockfileVersion: lock.lockfileVersion,
    packages,
  })
  await npm(folder, 'ci', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts')
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

/** Runs npm with this Node.js, without the variables that an outer npm has set for its own project. */
export function npmEnvironment(): Record<string, string> {
  const own = /^(npm_package_|npm_lifecycle_|npm_config_(local_)?prefix$|INIT_CWD$)/
  const kept = Object.entries(process.env).filter(([name, value]) => value !== undefined && !own.test(name))
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  return { ...Object.fromEntries(kept), PATH: path } as Record<string, string> // the undefined ones are gone
}
